import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

// Loaded in front of a program: SIGUSR2 begins a CPU profile, and the next one writes it to PROFILE_FILE. So neither start
// nor warm-up is in it.

const SAMPLING_INTERVAL_US = 200;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
let isRunning = false;

process.on('SIGUSR2', () => {
  if (isRunning) {
    session.post('Profiler.stop', (error, result) => {
      if (error === null) writeFileSync(process.env.PROFILE_FILE, JSON.stringify(result.profile));
    });
  } else {
    session.post('Profiler.start');
  }
  isRunning = !isRunning;
});
