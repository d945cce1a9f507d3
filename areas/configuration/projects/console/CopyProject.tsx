import { App, Checkbox, Form, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { type Shown, useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { projectTask } from '../../tasks/contract.ts'
import { mostCopied, type project, projectCalls } from '../contract.ts'

type Plan = Answer<typeof projectCalls.copyPlan>
type Entered = { ProjectName: string; SNs?: Record<string, string>; PlannedTime?: string | null }
type Props = { row: Shown<typeof project>; close: () => void; task?: boolean }

const CopyForm = ({ row, close, plan, task = false }: Props & { plan: Plan }) => {
  const t = useWords()
  const { message, modal } = App.useApp()
  const mayTask = useMay('m10124.add') && plan.Gateways.length > 0
  const [isTask, setTask] = useState(task || (mayTask && plan.Gateways.length > mostCopied))
  const copy = useCommand(projectCalls.copy, ['project', 'gateway', 'device', 'point', 'flowchart', 'alarmRule', 'projectTask'], {
    meta: { quiet: true },
  })
  const chosen = (SNs: Entered['SNs'] = {}) => plan.Gateways.flatMap(({ Id }) => (SNs[Id] ? [{ Id, SN: SNs[Id] }] : []))
  const tellLeft = ({ Unbound = [], RulesLeft = [] }: Answer<typeof projectCalls.copy>) => {
    const names = Unbound.map(({ FlowchartName, Name }) => `${FlowchartName}: ${Name}`).join(', ')
    if (names) void modal.warning({ title: t('project.unboundTitle'), content: t('project.unboundText', { names }) })
    if (!RulesLeft.length) return
    const content = RulesLeft.map(({ RuleName: name, Lacks }) => (
      <p key={name}>{Lacks.length ? t('project.rulesLacks', { name, points: Lacks.join(', ') }) : t('project.rulesNotYours', { name })}</p>
    ))
    void modal.warning({ title: t('project.rulesLeftTitle'), content })
  }
  const faults = Object.entries(copy.error?.details.Fields ?? {}).flatMap(([field, texts]) => {
    const place = /^Gateways\.(\d+)\./.exec(field)
    const SN = place && copy.variables?.body?.Gateways[Number(place[1])]?.SN
    return SN ? [`${SN}: ${texts[0]}`] : []
  })
  return (
    <FormDialog<Entered>
      title={t('project.copyTitle', { name: row.ProjectName })}
      okText={t('project.copyDo')}
      start={{ ProjectName: plan.ProjectName }}
      sending={copy}
      refused={faults.length > 0 ? faults.slice(0, 5).map((text) => <div key={text}>{text}</div>) : undefined}
      submit={({ ProjectName, SNs, PlannedTime }) =>
        copy.mutate(
          {
            body: {
              ...{ ProjectId: row.Id, ProjectName, Gateways: chosen(SNs) },
              ...(isTask && { AsTask: 1, ...(PlannedTime && { PlannedTime }) }),
            },
          },
          {
            onSuccess: (copied) => {
              tellLeft(copied)
              message.success(isTask ? t('task.started') : t('project.copied', { name: ProjectName }))
              close()
            },
          },
        )
      }
      close={close}
    >
      <div className="stack form-summary">
        <p>
          {plan.Gateways.length
            ? t('project.copyText', { gateways: plan.Gateways.length, channels: plan.Channels, devices: plan.Devices, points: plan.Points })
            : t('project.copyNoGateways')}
        </p>
        {plan.Pictures > 0 && <p>{t('project.copyPictures', { count: plan.Pictures })}</p>}
        {plan.Rules.length > 0 && <p>{t(plan.CopiesRules ? 'project.copyRules' : 'project.copyRulesNot', { count: plan.Rules.length })}</p>}
      </div>
      <Form.Item
        name="ProjectName"
        label={t('project.ProjectName')}
        rules={[{ required: true, message: t('form.required', { field: t('project.ProjectName') }) }]}
      >
        <Input maxLength={50} />
      </Form.Item>
      {mayTask && (
        <Form.Item extra={isTask && t('project.copyAsTask.help')}>
          <Checkbox checked={isTask} onChange={(e) => setTask(e.target.checked)}>
            {t('project.copyAsTask')}
          </Checkbox>
        </Form.Item>
      )}
      {isTask && (
        <Form.Item name="PlannedTime" label={t('projectTask.PlannedTime')}>
          <FieldInput field={projectTask.fields.PlannedTime} name="projectTask.PlannedTime" />
        </Form.Item>
      )}
      {plan.Gateways.map(({ Id, GatewayName, SN }) => (
        <Form.Item
          key={Id}
          name={['SNs', String(Id)]}
          label={`${GatewayName}${SN ? ` (${SN})` : ''}: ${t('project.copySN')}`}
          extra={t('project.copyLeaveOut')}
          rules={[{ pattern: /^[0-9A-Z]{8,32}$/, message: t('fault.field.pattern') }]}
        >
          <Input className="mono" maxLength={32} spellCheck={false} />
        </Form.Item>
      ))}
    </FormDialog>
  )
}

/** Copies a project with its gateways, channels, devices and points, after a preview. */
const CopyProject = ({ row, close, task }: Props) => {
  const title = useWords()('project.copyTitle', { name: row.ProjectName })
  const { data: plan, error, refetch } = useCall(projectCalls.copyPlan, { query: { ProjectId: row.Id } })
  if (plan) return <CopyForm {...{ row, close, plan, task }} />
  return (
    <Modal open title={title} footer={null} onCancel={close}>
      {error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}
    </Modal>
  )
}
export default CopyProject
