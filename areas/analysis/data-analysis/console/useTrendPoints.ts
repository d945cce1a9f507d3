import { useCallback } from 'react'
import { useFirstPoints } from '../../telemetry/console/index.ts'
import { useAddress, useChosenPoints } from './useExplore.ts'

/** Curves of one chart. */
export const mostCurves = 20

/** The points of the address, or of the devices that it names those that charts preselect; the server finds them. */
export const useTrendPoints = () => {
  const { params, set } = useAddress()
  const chosen = useChosenPoints(mostCurves)
  const isAsked = params.has('points')
  const devices = params.get('devices') ?? ''
  const first = useFirstPoints(/^\d+(,\d+)*$/.test(devices) ? { DeviceIds: devices } : {}, !isAsked)
  // An empty choice stays one: without it the preselected points would come back.
  const choose = useCallback((ids: readonly number[]) => set({ points: ids.slice(0, mostCurves).join() || '0', devices: undefined }), [set])
  const { points, isLoading } = isAsked ? chosen : first
  return { points, choose, error: chosen.error ?? first.error, isLoading, refetch: first.refetch }
}
