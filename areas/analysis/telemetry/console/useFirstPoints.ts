import { useMemo } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { analysisCalls } from '../contract.ts'
import { preselected } from './preselected.ts'

/** Of a device or project without points that charts preselect. */
const few = 3
const nobody: readonly ParaInfo[] = []
const of = ['point', 'device']

/** The points with which a chart begins: those that charts preselect, or the first of `near`. The server finds them, so nothing waits for all points. */
export const useFirstPoints = (near: { DeviceIds?: string; ProjectId?: number }, enabled: boolean) => {
  const isNarrow = Object.keys(near).length > 0
  const marked = useCall(analysisCalls.findPoints, { query: { ...near, Common: 1 }, of, enabled })
  const lacks = enabled && isNarrow && marked.data?.Items.length === 0
  const any = useCall(analysisCalls.findPoints, { query: near, of, enabled: lacks })
  const points = useMemo(() => {
    const found = preselected(marked.data?.Items ?? nobody)
    return found.length || !lacks ? found : (any.data?.Items ?? nobody).filter((p) => p.IsChartShow !== 0).slice(0, few)
  }, [marked.data, lacks, any.data])
  return { points, error: marked.error ?? any.error, isLoading: marked.isPending || (lacks && any.isPending), refetch: marked.refetch }
}
