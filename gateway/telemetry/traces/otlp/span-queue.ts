import { diag } from '@opentelemetry/api';
import { globalErrorHandler } from '@opentelemetry/core';
import type { OpenedSpanWriter, SpanContent, SpanPosition } from '../span-writer.ts';
import { type SpanBatch, SpanBuffer } from './span-buffer.ts';

/** Sends one batch. Rejects when the collector has not received it. */
export type SendBatch = (batch: SpanBatch) => Promise<void>;

export interface SpanQueueOptions {
  readonly serviceName: string;
  readonly send: SendBatch;
  /** Ends the connections to the collector. */
  readonly close: () => Promise<void>;
  /** Maximum number of spans that wait. */
  readonly maxQueuedSpans: number;
  /** Maximum number of spans in one batch. */
  readonly maxBatch: number;
  /** Time after which a batch is sent that is not full. @unit milliseconds */
  readonly delayMs: number;
  /** Time after which the next batch is sent although the last one has not been received. @unit milliseconds */
  readonly timeoutMs: number;
}

/**
 * Spans that wait for the collector, with the rules of `BatchSpanProcessor` of OpenTelemetry: a batch is sent when it is full or after a
 * delay, one at a time; spans are dropped when too many wait.
 */
export class SpanQueue implements OpenedSpanWriter {
  private readonly options: SpanQueueOptions;
  private readonly buffer: SpanBuffer;
  /** Full batches. */
  private readonly batches: SpanBatch[] = [];
  /** Number of spans in full batches. */
  private queued = 0;
  private dropped = 0;
  private isSending = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined = undefined;

  constructor(options: SpanQueueOptions) {
    this.options = options;
    this.buffer = new SpanBuffer(options.serviceName);
  }

  write(content: SpanContent, position: SpanPosition): void {
    const { buffer, options } = this;
    if (this.queued + buffer.count >= options.maxQueuedSpans || this.isClosed) {
      this.dropped += 1;
      return;
    }
    if (this.dropped > 0) this.reportDropped();
    buffer.add(content, position);
    if (buffer.count >= options.maxBatch) this.completeBatch();
    else if (buffer.count === 1) this.schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    if (this.buffer.count > 0) this.batches.push(this.buffer.take());
    await Promise.allSettled(this.batches.splice(0).map((batch) => this.sendInTime(batch)));
    await this.options.close();
  }

  private reportDropped(): void {
    diag.warn(`Dropped ${this.dropped} spans because maxQueueSize reached`);
    this.dropped = 0;
  }

  private completeBatch(): void {
    const batch = this.buffer.take();
    this.batches.push(batch);
    this.queued += batch.spans;
    if (!this.isSending) void this.sendAll();
  }

  /** Starts the delay of a batch that is not full. While batches are sent, it starts after them. */
  private schedule(): void {
    if (this.isSending || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.buffer.count > 0) this.completeBatch();
    }, this.options.delayMs).unref();
  }

  /** Sends full batches until none is left. */
  private async sendAll(): Promise<void> {
    this.isSending = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    for (let batch = this.batches.shift(); batch !== undefined; batch = this.batches.shift()) {
      this.queued -= batch.spans;
      await this.sendInTime(batch).catch(globalErrorHandler);
    }
    this.isSending = false;
    if (this.buffer.count > 0 && !this.isClosed) this.schedule();
  }

  private async sendInTime(batch: SpanBatch): Promise<void> {
    const { send, timeoutMs } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Timeout')), timeoutMs);
    });
    try {
      await Promise.race([send(batch), late]);
      this.buffer.release(batch);
    } finally {
      clearTimeout(timer);
    }
  }
}
