import { useCall, useRow } from '../../../../../console/kernel/api.ts'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { savedChart } from '../../../charts/contract.ts'
import { reportGroupCalls } from '../../../report-groups/contract.ts'
import { mostSpread } from '../../../telemetry/contract.ts'
import { SavedChartCard } from './SavedChartCard.tsx'

/** Height of the name and what is drawn, above the chart. */
const headHeight = 64
/** A saved chart inside a dashboard. */
export const ChartOfBoard = ({ id, height }: { id: number; height: number }) => {
  const { data } = useRow(savedChart, id)
  const groups = useCall(reportGroupCalls.trends, { query: {}, of: ['reportGroup', 'point', 'device'] })
  const group = groups.data?.find(({ Id }) => Id === data?.GroupId)
  if (!data || !groups.data) return <Waiting />
  const points = (group?.Points ?? []).slice(0, mostSpread)
  return <SavedChartCard chart={data} points={points} hidden={group?.HiddenPoints ?? 0} height={Math.max(120, height - headHeight)} bare />
}
