import { ArrowUpOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { fullName } from '../../../../console/chart/names.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { PointChoice } from '../../telemetry/console/PointChoice.tsx'
import { analysisCalls } from '../../telemetry/contract.ts'
import { type GroupPoint, mostPoints } from '../contract.ts'

type Props = { value?: unknown; onChange?: (value: GroupPoint[]) => void }

/** Of points that hide from reports none is offered. */
const ofReports = { Reports: 1 } as const
const reportKind = 3

/** Points that reports preselect, of the project of a new group of that kind; until somebody chooses others. */
const usePreselected = (value: readonly GroupPoint[], onChange: Props['onChange']) => {
  const form = Form.useFormInstance()
  const isReport = Form.useWatch('GroupType', form) === reportKind
  const ProjectId = Form.useWatch('ProjectId', form) as number | undefined
  const last = useRef<string | undefined>(undefined)
  const now = value.map((p) => p.ParaId).join()
  const isOwn = now !== '' && now !== last.current
  const { data } = useCall(analysisCalls.findPoints, {
    ...{ query: { Reports: 2, ...(ProjectId ? { ProjectId } : {}) }, of: ['point'] },
    enabled: isReport && ProjectId !== undefined && ProjectId !== null && !isOwn,
  })
  const found = data?.Items.map((p) => p.ParaId).join()
  useEffect(() => {
    if (!isReport || isOwn || found === undefined || found === last.current) return
    last.current = found
    onChange?.(found ? found.split(',').map((id) => ({ ParaId: Number(id) })) : [])
  }, [isReport, isOwn, found, onChange])
  return { isReport, count: now !== '' && now === last.current ? value.length : 0 }
}

/** The points of a group, in their order, with titles of their own. */
export const PointsInput = ({ value, onChange }: Props) => {
  const t = useWords()
  const points = (value ?? []) as GroupPoint[]
  const [asked] = useState(() => points.map((p) => p.ParaId).join())
  const ids = points.map((p) => p.ParaId)
  // Of those that were there, and of those that were chosen since.
  const there = useCall(analysisCalls.findPoints, { query: { ParaIds: asked }, of: ['point'], enabled: asked !== '' })
  const chosen = useCall(analysisCalls.findPoints, { query: { ParaIds: ids.join() }, of: ['point'], enabled: ids.length > 0 })
  const known = new Map([...(there.data?.Items ?? []), ...(chosen.data?.Items ?? [])].map((p) => [p.ParaId, p]))
  const { isReport, count } = usePreselected(points, onChange)
  const choose = (next: number[]) => onChange?.(next.map((ParaId) => points.find((p) => p.ParaId === ParaId) ?? { ParaId }))
  const title = (ParaId: number, Title: string) =>
    onChange?.(points.map((p) => (p.ParaId === ParaId ? { ...p, ...(Title ? { Title } : { Title: undefined }) } : p)))
  const up = (i: number) => onChange?.(points.map((p, k) => (k === i - 1 ? points[i]! : k === i ? points[i - 1]! : p)))
  return (
    <>
      <PointChoice
        points={ids.flatMap((id) => (known.has(id) ? [known.get(id)!] : []))}
        choose={choose}
        most={mostPoints}
        {...(isReport ? { narrowed: ofReports } : {})}
      />
      {count > 0 && <p className="soft">{t('group.preselected', { count })}</p>}
      {points.map((p, i) => (
        <div key={p.ParaId} className="search-bar">
          <Button size="small" type="text" icon={<ArrowUpOutlined />} disabled={i === 0} onClick={() => up(i)} aria-label={t('group.up')} />
          <Input
            size="small"
            maxLength={60}
            value={p.Title ?? ''}
            placeholder={known.has(p.ParaId) ? fullName(known.get(p.ParaId)!) : ''}
            aria-label={t('group.title')}
            onChange={(event) => title(p.ParaId, event.target.value)}
            style={{ flex: 1 }}
          />
        </div>
      ))}
    </>
  )
}
