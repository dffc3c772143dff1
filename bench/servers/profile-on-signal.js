import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

// Loaded in front of a program: SIGUSR2 begins a profile, and the next one writes it to PROFILE_FILE. So neither start nor
// warm-up is in it. PROFILE_KIND says of what: `cpu`, or `memory` for all that is allocated, collected later or not.

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
