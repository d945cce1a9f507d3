import { App, Form, Radio } from 'antd'
import { useState } from 'react'
import { useRow, useSave } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import { project } from '../../projects/contract.ts'
import { mostTargets, projectTask, taskKind, taskRight } from '../contract.ts'

const AddDevices = lazyScreen(() => import('../../devices/console/AddDevices.tsx'), null)
const ImportDialog = lazyScreen(() => import('../../../../console/kernel/list/ImportDialog.tsx'), null)
const CopyProject = lazyScreen(() => import('../../projects/console/CopyProject.tsx'), null)

/** Models are trained from their own screens. */
type Kind = Exclude<keyof typeof taskKind, 'train'>
type Entered = Record<string, unknown> & { GatewayIds?: number[]; DeviceIds?: number[]; ModelId?: number; ProjectId?: number }
const more = {
  push: ['StopAfter', 'PlannedTime', 'UntilTime'],
  apply: ['ModelId', 'RemoveGone', 'StopAfter', 'PlannedTime'],
  check: ['PlannedTime'],
  copy: [],
  addDevices: [],
  importPoints: [],
  importDevices: [],
} as const
const help = {
  push: 'task.stopAfter.help',
  apply: undefined,
  check: 'task.check.help',
  copy: 'project.copyAsTask.help',
  addDevices: 'device.addAsTask.help',
  importPoints: 'task.import.help',
  importDevices: 'task.import.help',
} as const
const kinds = Object.keys(help) as Kind[]

/** Copies the project with this Id as a task. */
const CopyById = ({ id, close }: { id: number; close: () => void }) => {
  const { data } = useRow(project, id)
  return data ? <CopyProject row={data} task close={close} /> : null
}

/** Starts a task. Kinds that need more than gateways or devices continue in their own dialog. */
export const AddTask = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const may = useMayCode()
  const allowed = kinds.filter((k) => may(taskRight[taskKind[k]]))
  const [kind, setKind] = useState<Kind>(allowed[0] ?? 'check')
  const [form] = Form.useForm<Entered>()
  const save = useSave(projectTask)
  const [next, goOn] = useState<Entered>()
  const hasTargets = kind === 'push' || kind === 'apply' || kind === 'check'
  const [field, to, label] =
    kind === 'push' ? (['GatewayIds', gateway, 'task.gateways'] as const) : (['DeviceIds', device, 'task.devices'] as const)
  const needed = (name: string) => [{ required: true, message: t('form.required', { field: name }) }]
  const ofProject = Boolean(Form.useWatch('ProjectId', form)) && kind !== 'push'
  const submit = ({ ProjectId, ...values }: Entered) => {
    if (!hasTargets) return goOn({ ...(ProjectId && { ProjectId }) })
    const name = t(`projectTask.Kind.${taskKind[kind]}`)
    const TaskName = ProjectId ? name : t('task.name', { kind: name, count: values[field]?.length ?? 0 })
    const ofKind = { ...(kind === 'check' && { StopAfter: mostTargets }), ...(ProjectId && { ProjectId }) }
    save.mutate({ TaskName, Kind: taskKind[kind], ...ofKind, ...values } as never, {
      onSuccess: () => {
        message.success(t('task.started'))
        close()
      },
    })
  }
  if (next && kind === 'addDevices') return <AddDevices task close={close} />
  if (next?.ProjectId && kind === 'copy') return <CopyById id={next.ProjectId} close={close} />
  if (next && kind === 'importPoints') return <ImportDialog of={point} fixed={{}} asTask close={close} />
  if (next && kind === 'importDevices') return <ImportDialog of={device} fixed={{}} asTask close={close} />
  return (
    <FormDialog<Entered>
      title={t('task.add')}
      okText={t(hasTargets ? 'task.start' : 'task.next')}
      form={form}
      start={{ StopAfter: 1, RemoveGone: 0 }}
      sending={save}
      submit={submit}
      close={close}
    >
      <Form.Item label={t('projectTask.Kind')} extra={help[kind] && t(help[kind])}>
        <Radio.Group
          value={kind}
          onChange={(e) => setKind(e.target.value)}
          options={allowed.map((k) => ({ value: k, label: t(`projectTask.Kind.${taskKind[k]}`) }))}
        />
      </Form.Item>
      {(kind === 'apply' || kind === 'check' || kind === 'copy') && (
        <Form.Item
          name="ProjectId"
          label={t(kind === 'copy' ? 'project' : 'task.project')}
          rules={kind === 'copy' ? needed(t('project')) : []}
        >
          <RefInput to={project} where={{ EnterpriseId: tenant }} allowClear />
        </Form.Item>
      )}
      {hasTargets && !ofProject && (
        <Form.Item name={field} label={t(label)} rules={needed(t(label))}>
          <RefsInput to={to} where={{ EnterpriseId: tenant }} />
        </Form.Item>
      )}
      {more[kind].map((name) => {
        const title = t(`projectTask.${name}`)
        const required = name === 'ModelId' || name === 'StopAfter'
        return (
          <Form.Item key={name} name={name} label={title} rules={required ? needed(title) : []}>
            <FieldInput field={projectTask.fields[name]} name={`projectTask.${name}`} where={{ EnterpriseId: tenant }} />
          </Form.Item>
        )
      })}
    </FormDialog>
  )
}
