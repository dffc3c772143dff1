/**
 * Prints the HTML of the documentation page. All URLs are relative, so that the page does not depend on the mount path.
 *
 * @param description title of the API, and its versions in any order; the newest one is shown first
 */
export function printPage({ title, versions }: { readonly title: string; readonly versions: readonly number[] }): string {
  const options = versions.toSorted((a, b) => b - a).map((version) => `<option value="${version}">Version ${version}</option>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<header>
<strong>${escapeHtml(title)}</strong>
<div><label for="version">Version</label> <select id="version" autocomplete="off">${options.join('')}</select></div>
<nav><a id="json" href="openapi.json">JSON</a> <a id="yaml" href="openapi.yaml">YAML</a></nav>
</header>
<div id="page"></div>
<noscript>This page needs JavaScript. The description is also available as openapi.json and openapi.yaml.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export const PAGE_STYLE = `body {
  margin: 0;
}

header {
  align-items: center;
  background: #1f2937;
  box-sizing: border-box;
  color: #fff;
  display: flex;
  flex-wrap: wrap;
  font-family: system-ui, sans-serif;
  font-size: 14px;
  gap: 8px 24px;
  min-height: 48px;
  padding: 8px max(20px, calc((100% - 1420px) / 2));
  position: sticky;
  top: 0;
  z-index: 10;
}

header strong {
  font-size: 16px;
}

header select {
  background: #374151;
  border: 1px solid #6b7280;
  border-radius: 4px;
  color: inherit;
  font: inherit;
  padding: 4px 8px;
}

header nav {
  display: flex;
  gap: 16px;
  margin-left: auto;
}

header a {
  color: #93c5fd;
}

.swagger-ui .info {
  margin: 24px 0;
}

.swagger-ui .scheme-container {
  box-shadow: none;
  margin: 0 0 16px;
  padding: 0;
}

.needs-credentials {
  background: none;
  border: 0;
  cursor: pointer;
  display: flex;
  padding: 4px 8px;
}

.needs-credentials.entered {
  fill: #15803d;
}
`;

/**
 * Script that starts Swagger UI. The default validator of the package is a third-party service, so it is disabled. The plugin draws a
 * closed lock for operations that need credentials, and none where credentials are optional. Swagger UI draws an open lock for the former
 * until credentials are entered, and a closed one for the latter.
 */
export const PAGE_SCRIPT = `const version = document.getElementById('version');
const locks = ({ React, getComponent }) => ({
  wrapComponents: {
    OperationSummary: (Original) => (props) => {
      const security = props.operationProps.get('security');
      const isOptional = security !== undefined && security.some((requirement) => requirement.isEmpty());
      return React.createElement(Original, isOptional ? { ...props, operationProps: props.operationProps.delete('security') } : props);
    },
  },
  components: {
    authorizeOperationBtn({ isAuthorized, onClick }) {
      const label = isAuthorized ? 'Needs credentials, which are entered' : 'Needs credentials';
      return React.createElement(
        'button',
        {
          type: 'button',
          className: isAuthorized ? 'needs-credentials entered' : 'needs-credentials',
          title: label,
          'aria-label': label,
          onClick(event) {
            event.stopPropagation();
            onClick();
          },
        },
        React.createElement(getComponent('LockAuthOperationIcon', true)),
      );
    },
  },
});
const addressOf = (format) => 'v' + version.value + '/openapi.' + format;
const showLinks = () => {
  for (const format of ['json', 'yaml']) document.getElementById(format).href = addressOf(format);
};
showLinks();
const ui = SwaggerUIBundle({
  dom_id: '#page',
  url: addressOf('json'),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [locks],
  layout: 'BaseLayout',
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
version.addEventListener('change', () => {
  showLinks();
  ui.specActions.updateUrl(addressOf('json'));
  ui.specActions.download(addressOf('json'));
});
`;
