import { Form, Input, InputNumber } from 'antd'
import { useCall, useRow } from '../../../../console/kernel/api.ts'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Parameter, Scene } from '../../../../contract/picture/scene.ts'
import { resourceNamed } from '../../../../contract/registry.ts'
import { most, visualBoard } from '../../boards/contract.ts'
import { flowchartCalls } from '../../flowcharts/contract.ts'
import { type Fixed, type Kind, kinds, seenBy } from '../contract.ts'

type Value = Fixed[number]['Value']
/** A value that can be fixed; `many` takes several records. */
type Asked = { name: string; label: string; type: Parameter['type'] | 'project'; model?: number; many?: boolean; own?: Value }
type Target = { kind: Kind; target: number | undefined }
type Where = Record<string, number | undefined>

const ofVariable = { project: 'ProjectId', model: 'ModelId', device: 'DeviceIds' } as const

/** The parameters of a picture or dashboard, and the project for the choice of records. */
const useAsked = ({ kind, target = 0 }: Target): { asked: Asked[]; project: number | undefined } => {
  const t = useWords()
  const may = useMayCode()
  const isOf = (of: Kind) => kind === of && target > 0 && may(seenBy[of])
  const { data: picture } = useCall(flowchartCalls.open, { body: { Id: target }, of: ['flowchart'], enabled: isOf(kinds.picture) })
  const { data: board } = useRow(visualBoard, isOf(kinds.board) ? target : undefined)
  if (kind === kinds.picture && picture?.Flowchart.Id === target) {
    const { parameters = [] } = picture.Scene as Scene
    const asked = parameters.map(({ name, type, model, value }) => ({
      ...{ name, label: name, type },
      ...(model && { model }),
      ...(value !== undefined && { own: value }),
    }))
    return { asked, project: picture.Flowchart.ProjectId }
  }
  if (kind !== kinds.board || board?.Id !== target) return { asked: [], project: undefined }
  const asked = board.Content.Variables.map(({ Name, Id }) => ({
    ...{ name: ofVariable[Name], label: t(Name === 'model' ? 'proModel' : Name), type: Name },
    ...(Name === 'device' && { many: true }),
    ...(Id && { own: Id }),
  }))
  return { asked, project: board.ProjectId ?? undefined }
}

const recordOf = { device: 'device', point: 'point', model: 'proModel', project: 'project' } as const
type InputProps = { of: Asked; id: string; value: Value | undefined; where: Where; change: (value: Value | undefined) => void }
const ValueInput = ({ of: { type, many, own }, id, value, where, change }: InputProps) => {
  if (many) {
    const ids = String(value ?? own ?? '').split(',')
    return (
      <RefsInput
        id={id}
        to={resourceNamed('device')!}
        value={ids.map(Number).filter(Boolean)}
        most={most.chosen}
        where={where}
        onChange={(next) => change(next.join() || undefined)}
      />
    )
  }
  if (type in recordOf) {
    const to = resourceNamed(recordOf[type as keyof typeof recordOf])!
    return <RefInput id={id} to={to} value={Number(value ?? own) || null} where={where} onChange={(next) => change(next ?? undefined)} />
  }
  if (type === 'number') return <InputNumber id={id} value={Number(value ?? own ?? 0)} onChange={(next) => change(next ?? undefined)} />
  return <Input id={id} maxLength={200} value={value ?? own ?? ''} onChange={({ target }) => change(target.value || undefined)} />
}

type Props = Target & { id?: string; value?: unknown; onChange?: (value: Fixed | null) => void }
/** The parameters of a picture or the variables of a dashboard, which viewers cannot change. Renders nothing without any. */
export const FixedInput = ({ kind, target, id = 'fixed', value, onChange }: Props) => {
  const t = useWords()
  const { asked, project } = useAsked({ kind, target })
  if (!asked.length) return null
  const given = new Map(((value ?? []) as Fixed).map(({ Name, Value }) => [Name, Value]))
  // A dashboard that was opened for one device has the singular name.
  const of = (name: string) => given.get(name) ?? (name === 'DeviceIds' ? given.get('DeviceId') : undefined)
  const put = (name: string, next: Value | undefined) => {
    const all = asked.flatMap((one) => {
      const Value = one.name === name ? next : of(one.name)
      return Value === undefined ? [] : [{ Name: one.name, Value }]
    })
    onChange?.(all.length ? all : null)
  }
  const chosen = (name: string) => Number(of(name) ?? asked.find((one) => one.name === name)?.own) || undefined
  const whereOf = ({ type, model }: Asked): Where => {
    if (type === 'device') return { ProjectId: chosen('ProjectId') ?? project, ModelId: model ?? chosen('ModelId') }
    return type === 'point' ? { ProjectId: project } : {}
  }
  return (
    <fieldset className="form-section">
      <legend>{t('share.Parameters')}</legend>
      {asked.map((one) => (
        <Form.Item key={one.name} label={one.label} htmlFor={`${id}-${one.name}`}>
          <ValueInput of={one} id={`${id}-${one.name}`} value={of(one.name)} where={whereOf(one)} change={(next) => put(one.name, next)} />
        </Form.Item>
      ))}
    </fieldset>
  )
}

/** The same as a field of a link's form. */
export const FixedFields = ({ begin, ...of }: Target & { begin?: Fixed | undefined }) => (
  <Form.Item name="Parameters" noStyle initialValue={begin?.length ? begin : null}>
    <FixedInput {...of} />
  </Form.Item>
)
