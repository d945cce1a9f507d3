import { Form, Input, InputNumber, Select } from 'antd'
import { useCall, useRows } from '../../../../../console/kernel/api.ts'
import { RefInput } from '../../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../../console/words/words.ts'
import type { Parameter, Scene } from '../../../../../contract/picture/scene.ts'
import { proModel } from '../../../../configuration/models/contract.ts'
import { flowchart, flowchartCalls } from '../../contract.ts'
import type { Points } from './Source.tsx'

type Value = string | number
type Values = Readonly<Record<string, Value>>

type ValueProps = {
  parameter: Parameter
  value: Value | undefined
  scene: Scene
  points: Points
  change: (value: Value | undefined) => void
}
/** A parameter value, or a parameter of the same type that is passed on. */
export const ParameterValue = ({ parameter: { name, type }, value, scene, points, change }: ValueProps) => {
  const own = (scene.parameters ?? []).filter((one) => one.type === type).map((one) => ({ value: `{${one.name}}`, label: `{${one.name}}` }))
  const devices = [...new Map(points.map((p) => [p.DeviceId, p.DeviceName]))].map(([id, label]) => ({ value: String(id), label }))
  const all = points.map((p) => ({ value: String(p.ParaId), label: `${p.DeviceName} · ${p.ParaName}` }))
  const isPassed = typeof value === 'string' && value.startsWith('{')
  if (type === 'device' || type === 'point' || (own.length > 0 && (isPassed || value === undefined)))
    return (
      <Select
        aria-label={name}
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        value={value === undefined ? null : String(value)}
        options={[...own, ...(type === 'device' ? devices : type === 'point' ? all : [])]}
        onChange={(next: string | null) => change(next ? (next.startsWith('{') ? next : Number(next)) : undefined)}
      />
    )
  if (type === 'model')
    return <RefInput aria-label={name} to={proModel} value={Number(value) || null} onChange={(next) => change(next ?? undefined)} />
  if (type === 'number')
    return <InputNumber aria-label={name} value={typeof value === 'number' ? value : null} onChange={(next) => change(next ?? undefined)} />
  return <Input aria-label={name} maxLength={200} value={value ?? ''} onChange={(event) => change(event.target.value || undefined)} />
}

type Props = {
  label: string
  project: number
  value: number | undefined
  given: Values | undefined
  scene: Scene
  points: Points
  change: (picture: number | undefined, given: Values | undefined) => void
}
/** A published picture of the project, with its parameter values. */
export const PictureChoice = ({ label, project, value, given, scene, points, change }: Props) => {
  const t = useWords()
  const { data } = useRows(flowchart, { PageSize: 200, State: 1, ProjectId: project, OrderColumn: 'FlowchartName', OrderType: 'asc' })
  const { data: opened } = useCall(flowchartCalls.open, { body: { Id: value ?? 0 }, of: ['flowchart'], enabled: value !== undefined })
  const parameters = opened?.Flowchart.Id === value ? ((opened?.Scene as Scene | undefined)?.parameters ?? []) : []
  const put = (name: string, next: Value | undefined) => {
    const { [name]: _, ...rest } = given ?? {}
    const all = next === undefined ? rest : { ...rest, [name]: next }
    change(value, Object.keys(all).length ? all : undefined)
  }
  return (
    <>
      <Form.Item label={label}>
        <Select
          aria-label={label}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={value ?? null}
          placeholder={t('edit.choosePicture')}
          options={(data?.Items ?? []).map(({ Id, FlowchartName }) => ({ value: Id, label: FlowchartName }))}
          onChange={(next: number | null) => change(next ?? undefined, undefined)}
        />
      </Form.Item>
      {parameters.map((parameter) => (
        <Form.Item key={parameter.name} label={parameter.name}>
          <ParameterValue {...{ parameter, scene, points }} value={given?.[parameter.name]} change={(next) => put(parameter.name, next)} />
        </Form.Item>
      ))}
    </>
  )
}
