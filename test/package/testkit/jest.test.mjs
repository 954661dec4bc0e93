import { declareContracts } from './contracts.mjs';

declareContracts(undefined);
