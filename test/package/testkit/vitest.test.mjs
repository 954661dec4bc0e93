import * as runner from 'vitest';

import { declareContracts } from './contracts.mjs';

declareContracts(runner);
