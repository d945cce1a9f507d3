import { Select } from 'antd'
import { useMemo } from 'react'
import { namesOf } from '../../../../console/chart/names.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { chartNote } from '../../notes/contract.ts'

type Props = { points: readonly ParaInfo[]; at: number; close: () => void }
type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** A note about one of the points of a chart. Formula points have none. */
export const NotePanel = ({ points, at, close }: Props) => {
  const stored = useMemo(() => points.filter((p) => p.DeviceId > 0), [points])
  const inputs = useMemo(() => {
    const options = namesOf(stored).map((label, i) => ({ value: stored[i]!.ParaId, label }))
    const Point = ({ id, value, onChange }: InputProps) => (
      <Select {...(id ? { id } : {})} value={value as number | null} options={options} {...(onChange ? { onChange } : {})} />
    )
    return { ParaId: Point }
  }, [stored])
  const begin = useMemo(() => ({ ParaId: stored[0]?.ParaId, Time: timeText(at) }), [stored, at])
  return <ResourceForm of={chartNote} begin={begin} inputs={inputs} close={close} />
}
