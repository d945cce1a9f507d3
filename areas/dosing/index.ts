// What the areas of dosing have.
import type { Call } from '../../contract/call.ts'
import type { Resource } from '../../contract/resource.ts'
import { drugEntryCalls, drugInfoData } from './chemical-ledger/contract.ts'
import { drugCalls, drugDelivery, drugInfo } from './chemicals/contract.ts'
import { dosingCalls as consumptionCalls } from './consumption/contract.ts'

export const dosingResources: readonly Resource[] = [drugInfo, drugInfoData, drugDelivery]

/** Groups of calls beside the resources' own. */
export const dosingCalls: readonly Readonly<Record<string, Call>>[] = [drugCalls, drugEntryCalls, consumptionCalls]
