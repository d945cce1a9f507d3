import { useCallback } from 'react'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useChosenPoints } from './useChosenPoints.ts'
import { useFirstPoints } from './useFirstPoints.ts'

type Near = { deviceId?: number | undefined; projectId?: number | undefined }

/** The points of the address, or those that charts preselect: of the devices that it names, of `near`, or of all. The server finds them. */
export const useTrendPoints = (most: number, { deviceId, projectId }: Near = {}) => {
  const [params, set] = useAddress()
  const chosen = useChosenPoints(most)
  const isAsked = params.has('points')
  const devices = params.get('devices') ?? deviceId?.toString() ?? ''
  const near = {
    ...(projectId ? { ProjectId: projectId } : {}),
    ...(/^\d+(,\d+)*$/.test(devices) ? { DeviceIds: devices } : {}),
  }
  const first = useFirstPoints(near, !isAsked)
  // An empty choice stays one: without it the preselected points would come back.
  const choose = useCallback((ids: readonly number[]) => set({ points: ids.slice(0, most).join() || '0', devices: undefined }), [set, most])
  const { points, isLoading } = isAsked ? chosen : first
  return { points, choose, error: chosen.error ?? first.error, isLoading, refetch: first.refetch }
}
