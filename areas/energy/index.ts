// What the areas of energy management have.
import type { Call } from '../../contract/call.ts'
import type { Resource } from '../../contract/resource.ts'
import { analyticsCalls } from './analytics/contract.ts'
import { billCalls } from './bills/check.ts'
import { energyBill } from './bills/contract.ts'
import { circuitCalls, energyFactor, energyInfo, energySource } from './circuits/contract.ts'
import { monthCalls } from './consumption/closing.ts'
import { energyCalls as consumptionCalls } from './consumption/contract.ts'
import { hintCalls } from './consumption/hints.ts'
import { savingsCalls } from './consumption/savings.ts'
import { energyInfoData, entryCalls } from './manual-readings/contract.ts'
import { modelCalls } from './predictive-models/contract.ts'
import { electricityPriceStandard, energyTariff } from './tariffs/contract.ts'
import { priceCalls } from './tariffs/preview.ts'

export const energyResources: readonly Resource[] = [
  energyInfo,
  energySource,
  energyFactor,
  energyInfoData,
  electricityPriceStandard,
  energyTariff,
  energyBill,
]

/** Groups of calls beside the resources' own. */
export const energyCalls: readonly Readonly<Record<string, Call>>[] = [
  circuitCalls,
  entryCalls,
  consumptionCalls,
  monthCalls,
  savingsCalls,
  hintCalls,
  billCalls,
  priceCalls,
  analyticsCalls,
  modelCalls,
]
