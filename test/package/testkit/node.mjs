import * as runner from 'node:test';

import { declareContracts } from './contracts.mjs';

declareContracts(runner);
