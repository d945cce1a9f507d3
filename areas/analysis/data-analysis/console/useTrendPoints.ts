import { useCallback, useMemo } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { mostPreselected } from '../../../../contract/point-rules.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { analysisCalls } from '../../telemetry/contract.ts'
import { useAddress, useChosenPoints } from './useExplore.ts'

/** Curves of one chart. */
export const mostCurves = 20
/** Of a device without points that charts preselect. */
const few = 3
const nobody: readonly ParaInfo[] = []

/** The points of the address, or of the devices that it names those that charts preselect; the server finds them. */
export const useTrendPoints = () => {
  const { params, set } = useAddress()
  const chosen = useChosenPoints(mostCurves)
  const isAsked = params.has('points')
  const devices = params.get('devices') ?? ''
  const near = /^\d+(,\d+)*$/.test(devices) ? { DeviceIds: devices } : {}
  const marked = useCall(analysisCalls.findPoints, { query: { ...near, Common: 1 }, of: ['point', 'device'], enabled: !isAsked })
  const lacks = !isAsked && marked.data?.Items.length === 0 && 'DeviceIds' in near
  const any = useCall(analysisCalls.findPoints, { query: near, of: ['point', 'device'], enabled: lacks })
  const points = useMemo(() => {
    if (isAsked) return chosen.points
    const found = marked.data?.Items ?? nobody
    return found.length || !lacks ? found.slice(0, mostPreselected) : (any.data?.Items ?? nobody).slice(0, few)
  }, [isAsked, chosen.points, marked.data, lacks, any.data])
  // An empty choice stays one: without it the preselected points would come back.
  const choose = useCallback((ids: readonly number[]) => set({ points: ids.slice(0, mostCurves).join() || '0', devices: undefined }), [set])
  const error = chosen.error ?? marked.error
  return { points, choose, error, isLoading: isAsked ? chosen.isLoading : marked.isPending, refetch: marked.refetch }
}
