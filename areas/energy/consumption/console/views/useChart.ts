import type { Days } from '../../../../../console/chart/calendarSpans.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { type Division, energyCalls } from '../../contract.ts'
import { freshMs, sources } from '../useEnergy.ts'

/** One circuit over some days, part by part. */
export const useChart = (circuit: number | undefined, days: Days | undefined, Division: Division) =>
  useCall(energyCalls.chart, {
    query: { EnergyInfoId: circuit ?? 0, DateFrom: days?.from ?? '', DateTo: days?.to ?? '', Division },
    of: sources,
    enabled: circuit !== undefined && days !== undefined,
    refetchInterval: freshMs,
  })
