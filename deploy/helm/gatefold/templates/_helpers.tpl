{{- define "gatefold.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "gatefold.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 54 | trimSuffix "-" -}}
{{- else if contains (include "gatefold.name" .) .Release.Name -}}
{{- .Release.Name | trunc 54 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "gatefold.name" .) | trunc 54 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gatefold.selectorLabels" -}}
app.kubernetes.io/name: {{ include "gatefold.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gatefold.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{ include "gatefold.selectorLabels" . }}
app.kubernetes.io/component: gateway
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "gatefold.serviceAccountName" -}}
{{- default (include "gatefold.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "gatefold.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{- /* Scheme of the internal listener, which uses TLS if the public one does. */ -}}
{{- define "gatefold.internalScheme" -}}
{{- if dig "server" "tls" "certificateFile" "" .Values.config -}}HTTPS{{- else -}}HTTP{{- end -}}
{{- end -}}

{{- /* Contents of gatefold.yaml. Values of `config` take precedence over those of the chart. */ -}}
{{- define "gatefold.config" -}}
{{- $server := dict "host" "0.0.0.0" "port" 4000 "internalHost" "0.0.0.0" "internalPort" 4001 -}}
{{- $_ := set $server "shutdown" (dict "lameDuckMs" (mul .Values.shutdown.lameDuckSeconds 1000)) -}}
{{- $_ := set $server "drainTimeoutMs" (mul .Values.shutdown.drainSeconds 1000) -}}
{{- $ours := dict "server" $server -}}
{{- if .Values.supergraph.existingConfigMap -}}
{{- $_ := set $ours "supergraph" (dict "file" (printf "/etc/gatefold/supergraph/%s" .Values.supergraph.key)) -}}
{{- end -}}
{{- if .Values.rest.existingConfigMap -}}
{{- $_ := set $ours "rest" (dict "documents" "/etc/gatefold/rest") -}}
{{- end -}}
{{- if .Values.metrics.enabled -}}
{{- $_ := set $ours "telemetry" (dict "metrics" (dict "prometheus" true)) -}}
{{- end -}}
{{- $config := mergeOverwrite $ours (deepCopy .Values.config) -}}
{{- $isProduction := ne (dig "profile" "production" $config) "dev" -}}
{{- $isSecure := or (dig "server" "trustedProxies" list $config) (dig "server" "tls" "certificateFile" "" $config) -}}
{{- if and $isProduction (not $isSecure) -}}
{{- fail "Set config.server.trustedProxies to the addresses of your ingress controller or load balancer, or config.server.tls to a certificate. In the production profile the gateway does not start without one of them." -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}
