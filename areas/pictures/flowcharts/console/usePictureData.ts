import { useMemo } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import type { Scene } from '../../../../contract/picture/scene.ts'
import { flowchartCalls, type Opened, type Place } from '../contract.ts'

/** Values that come later are added to what was read, so it is read again only to keep it tidy. */
const refreshMs = 300_000

const drawsLines = ({ items }: Scene) => items.some((item) => item.kind === 'trend' || (item.kind === 'indicator' && item.look === 'spark'))

/** Readings for the trends of a picture, and its standing alarms, through the picture's own calls. */
export const usePictureData = (place: Place, opened: Pick<Opened, 'Scene' | 'Inside' | 'Alarms'> | undefined) => {
  const enabled = opened !== undefined
  const hasLines = useMemo(
    () => opened !== undefined && [opened.Scene as Scene, ...opened.Inside.map((one) => one.Scene)].some(drawsLines),
    [opened],
  )
  const { data: curves } = useCall(flowchartCalls.curves, { body: place, of: ['flowchart'], enabled: hasLines, refetchInterval: refreshMs })
  const { data: alarms } = useCall(flowchartCalls.alarms, { body: place, of: ['alarmInfo', 'flowchart'], enabled })
  return { curves, rows: alarms?.Rows, marks: alarms?.Marks ?? opened?.Alarms }
}
