import { DeleteOutlined, EditOutlined, PlusOutlined, SendOutlined } from '@ant-design/icons'
import { Button, Form, Modal } from 'antd'
import { useState } from 'react'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { rules } from '../../../../console/kernel/form/rules.ts'
import { SecretInput } from '../../../../console/kernel/form/SecretInput.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { lower, useWords } from '../../../../console/words/words.ts'
import { dingRobot, wechatCalls } from '../contract.ts'
import { TestButton } from './TestButton.tsx'

type Robot = Shown<typeof dingRobot>
const fields = ['Name', 'Keywords', 'AtMobiles', 'Enabled', 'Remark'] as const
const secrets = ['AccessToken', 'Secret'] as const

const RobotForm = ({ row, close }: { row?: Robot; close: () => void }) => {
  const t = useWords()
  const quiet = { meta: { quiet: true } }
  const [add, change] = [useCommand(wechatCalls.addRobot, ['dingRobot'], quiet), useCommand(wechatCalls.changeRobot, ['dingRobot'], quiet)]
  const submit = (given: Record<string, unknown>) => {
    const body = Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined))
    if (row) change.mutate({ body: { ...body, Id: row.Id } as never }, { onSuccess: close })
    else add.mutate({ body: body as never }, { onSuccess: close })
  }
  return (
    <FormDialog<Record<string, unknown>>
      title={row ? t('form.edit', { title: row.Name }) : t('list.add', { thing: lower(t('dingRobot')) })}
      start={row ?? { Enabled: 1 }}
      requiredMark
      sending={row ? change : add}
      submit={submit}
      close={close}
    >
      {fields.map((name) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`dingRobot.${name}`)}
          rules={rules(dingRobot.fields[name], `dingRobot.${name}`, name === 'Name', t)}
          tooltip={name === 'Keywords' ? t('help.dingRobot.Keywords') : undefined}
        >
          <FieldInput field={dingRobot.fields[name]} name={`dingRobot.${name}`} />
        </Form.Item>
      ))}
      {secrets.map((name) => (
        <Form.Item key={name} name={name} label={t(`dingRobot.${name}`)} tooltip={t(`help.dingRobot.${name}`)}>
          <SecretInput held={row?.[name === 'Secret' ? 'HasSecret' : 'HasToken'] === 1} />
        </Form.Item>
      ))}
    </FormDialog>
  )
}

/** Robots of DingTalk groups. */
export const Robots = () => {
  const t = useWords()
  const confirm = useConfirm()
  const may = useMay('m10432.edit')
  const [editing, setEditing] = useState<Robot | 'new'>()
  const [testing, setTesting] = useState<Robot>()
  const remove = useCommand(wechatCalls.removeRobots, ['dingRobot'])
  const ask = (row: Robot) =>
    confirm({
      title: t('list.removeOne', { title: row.Name }),
      content: t('remove.dingRobot'),
      run: () => remove.mutateAsync({ query: { Id: row.Id } }),
    })
  return (
    <>
      <ResourceList
        of={dingRobot}
        prefix="robot."
        columns={['Name', 'Keywords', 'AtMobiles', 'HasToken', 'HasSecret', 'Enabled']}
        extra={
          may && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
              {t('list.add', { thing: lower(t('dingRobot')) })}
            </Button>
          )
        }
        actions={(row) =>
          may
            ? [
                { key: 'test', label: t('channel.test'), icon: <SendOutlined />, run: () => setTesting(row) },
                { key: 'change', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) },
                { key: 'drop', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => ask(row) },
              ]
            : []
        }
      />
      {editing && <RobotForm {...(editing === 'new' ? {} : { row: editing })} close={() => setEditing(undefined)} />}
      {testing && (
        <Modal open title={t('template.testOf', { title: testing.Name })} footer={null} onCancel={() => setTesting(undefined)}>
          <TestButton method="dingtalk" robot={testing.Id} />
        </Modal>
      )}
    </>
  )
}
