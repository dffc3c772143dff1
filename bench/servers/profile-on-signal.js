import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

// Loaded before a program. The first SIGUSR2 starts a profile, and the next one writes it to PROFILE_FILE, so that startup and warm-up are
// excluded. PROFILE_KIND selects the profile: `cpu`, or `memory` for all allocations, including those that were collected.

const KINDS = {
  cpu: { start: ['Profiler.start'], stop: 'Profiler.stop' },
  memory: {
    start: [
      'HeapProfiler.startSampling',
      { samplingInterval: 4_096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true },
    ],
    stop: 'HeapProfiler.stopSampling',
  },
};

const { start, stop } = KINDS[process.env.PROFILE_KIND];
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 200 });
let isRunning = false;

process.on('SIGUSR2', () => {
  if (isRunning) {
    session.post(stop, (error, result) => {
      if (error === null) writeFileSync(process.env.PROFILE_FILE, JSON.stringify(result.profile));
    });
  } else {
    session.post(...start);
  }
  isRunning = !isRunning;
});
