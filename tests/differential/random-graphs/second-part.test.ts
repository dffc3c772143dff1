import { describeRandomGraphs } from './describe-random-graphs.ts';

describeRandomGraphs(1);
