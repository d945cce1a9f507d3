import { App, Form } from 'antd'
import { useSave } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { projectTask, taskKind } from '../contract.ts'

type Entered = Record<string, unknown> & { GatewayIds?: number[]; DeviceIds?: number[]; ModelId?: number }
type Props = ToolProps & { kind: keyof typeof taskKind }
const more = { push: ['StopAfter', 'PlannedTime', 'UntilTime'], apply: ['ModelId', 'RemoveGone', 'StopAfter', 'PlannedTime'] } as const

/** Starts a task for gateways or devices. */
const TaskDialog = ({ kind, tenant, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const save = useSave(projectTask)
  const [field, to, label] =
    kind === 'push' ? (['GatewayIds', gateway, 'task.gateways'] as const) : (['DeviceIds', device, 'task.devices'] as const)
  const needed = (name: string) => [{ required: true, message: t('form.required', { field: name }) }]
  const submit = (values: Entered) => {
    const TaskName = t(`task.${kind}Name`, { count: values[field]?.length ?? 0 })
    save.mutate({ TaskName, Kind: taskKind[kind], ...values } as never, {
      onSuccess: () => {
        message.success(t('task.started'))
        close()
      },
    })
  }
  return (
    <FormDialog<Entered>
      title={t(`task.${kind}`)}
      okText={t('task.start')}
      form={form}
      start={{ StopAfter: 1, RemoveGone: 0 }}
      sending={save}
      submit={submit}
      close={close}
    >
      <Form.Item name={field} label={t(label)} rules={needed(t(label))} extra={kind === 'push' ? t('task.stopAfter.help') : undefined}>
        <RefsInput to={to} where={{ EnterpriseId: tenant }} />
      </Form.Item>
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

export const PushMany = (props: ToolProps) => <TaskDialog {...props} kind="push" />
export const ApplyMany = (props: ToolProps) => <TaskDialog {...props} kind="apply" />
