import { App, Button, Form, Input, Select } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import { notice, noticeCalls } from '../contract.ts'
import { RichInput } from './RichInput.tsx'

export type Announcement = Row<typeof notice>
type Values = Pick<Announcement, 'PushTitle' | 'PushContent' | 'PublishTime' | 'ExpireTime'> & {
  OrganIds?: number[]
  RoleIds?: number[]
  UserIds?: number[]
}

const whole = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/
const moment = (text: string | null | undefined) => (text ? (text.length === 16 ? `${text}:00` : text) : null)

/** Creates or edits an announcement. Without recipients it addresses everybody. */
export const PublishForm = ({ row, close }: { row?: Announcement; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { data } = useCall(noticeCalls.users)
  const quiet = { meta: { quiet: true } }
  const publish = useCommand(noticeCalls.publish, ['notice'], quiet)
  const change = useCommand(noticeCalls.change, ['notice'], quiet)
  const save = row ? change : publish
  const refusal = useFormRefusal(form, save.error)
  const submit = (given: Values) => {
    const body = { ...given, PublishTime: moment(given.PublishTime), ExpireTime: moment(given.ExpireTime) }
    const onSuccess = () => {
      message.success(t(row ? 'notices.changed' : 'notices.published'))
      close()
    }
    if (row) change.mutate({ body: { ...body, Id: row.Id } as never }, { onSuccess })
    else publish.mutate({ body: body as never }, { onSuccess })
  }
  const choice = (name: 'OrganIds' | 'RoleIds' | 'UserIds', of: { Id: number; Name: string }[] | undefined) => (
    <Form.Item name={name} label={t(`notice.${name}`)}>
      <Select
        mode="multiple"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        loading={!data}
        placeholder={t('notices.everybody')}
        options={(of ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))}
      />
    </Form.Item>
  )
  const time = (name: 'PublishTime' | 'ExpireTime') => (
    <Form.Item name={name} label={t(`notice.${name}`)} rules={[{ pattern: whole, message: t('notices.timeForm') }]}>
      <Input allowClear placeholder="2026-01-31 08:00" />
    </Form.Item>
  )
  return (
    <SidePanel
      width={560}
      title={t(row ? 'notices.edit' : 'notices.publish')}
      onClose={close}
      footer={
        <div className="form-foot">
          {refusal.count}
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" loading={save.isPending} onClick={() => form.submit()}>
            {t(row ? 'save' : 'notices.publishNow')}
          </Button>
        </div>
      }
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={submit}
        onFinishFailed={refusal.look}
        initialValues={row ? { ...row } : { PushTitle: '', PushContent: '' }}
      >
        {refusal.summary}
        <Form.Item
          name="PushTitle"
          label={t('notice.PushTitle')}
          rules={[{ required: true, whitespace: true, message: t('notices.titleMissing') }]}
        >
          <Input maxLength={notice.fields.PushTitle.max} showCount autoFocus />
        </Form.Item>
        <Form.Item name="PushContent" label={t('notice.PushContent')}>
          <RichInput label={t('notice.PushContent')} />
        </Form.Item>
        {choice('OrganIds', data?.Organs)}
        {choice('RoleIds', data?.Roles)}
        {choice(
          'UserIds',
          data?.Items.map(({ Id, UserName, UserNO }) => ({ Id, Name: `${UserName} (${UserNO})` })),
        )}
        {time('PublishTime')}
        {time('ExpireTime')}
      </Form>
    </SidePanel>
  )
}
