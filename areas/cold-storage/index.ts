// What the areas of cold rooms have.
import type { Call } from '../../contract/call.ts'
import type { Resource } from '../../contract/resource.ts'
import { coldCircuit, coldEnergyCalls } from './energy/contract.ts'
import { coldExcursion } from './excursions/contract.ts'
import { coldFigureCalls } from './figures/contract.ts'
import { coldCriteria, coldReport, coldReportCalls } from './reports/contract.ts'
import { roomCalls } from './rooms/calls.ts'
import { coldCalibration, coldSensorBind, coldStorage } from './rooms/contract.ts'

export const coldResources: readonly Resource[] = [
  coldStorage,
  coldSensorBind,
  coldCalibration,
  coldExcursion,
  coldCriteria,
  coldReport,
  coldCircuit,
]

/** Groups of calls beside the resources' own. */
export const coldCalls: readonly Readonly<Record<string, Call>>[] = [roomCalls, coldFigureCalls, coldReportCalls, coldEnergyCalls]
