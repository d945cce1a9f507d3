import { App, Button, Form, Input, Select, Table } from 'antd'
import { Link } from 'react-router'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { enterpriseCalls } from '../contract.ts'

type Entered = { PushTitle: string; PushContent: string }

/** Managers of a tenant, and a message to all of them. */
const ManagerPart = ({ row: { Id: id } }: { row: { Id: number } }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const mayEdit = useMay('m10404.edit')
  const query = { EnterpriseId: id }
  const { data, error, refetch } = useCall(enterpriseCalls.managers, { query, of: ['user', 'role'] })
  const templates = useCall(enterpriseCalls.pushTemplates, { query, of: ['enterprise'], enabled: mayEdit })
  const push = useCommand(enterpriseCalls.pushToManagers, ['notice'], { meta: { quiet: true } })
  const refusal = useFormRefusal(form, push.error)
  const send = (body: Entered) =>
    push.mutate(
      { body: { EnterpriseId: id, ...body } },
      {
        onSuccess: ({ Managers }) => {
          form.resetFields()
          message.success(t('tenant.pushed', { count: Managers }))
        },
      },
    )
  return (
    <div className="stack">
      {error && <Failure fault={error} retry={() => refetch()} />}
      <Table
        rowKey="Id"
        size="small"
        loading={!data && !error}
        dataSource={data}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        scroll={{ x: 'max-content' }}
        columns={[
          {
            title: t('user.UserNO'),
            render: (_, row) => (
              <Link to={`/systemManagement/user?EnterpriseId=${id}&q=${encodeURIComponent(row.UserNO)}`}>{row.UserNO}</Link>
            ),
          },
          { title: t('user.UserName'), dataIndex: 'UserName' },
          { title: t('user.Status'), render: (_, row) => t(`user.Status.${row.Status}`) },
          { title: t('user.IsLock'), render: (_, row) => t(row.IsLock ? 'flag.yes' : 'flag.no') },
        ]}
      />
      {mayEdit && (
        <Form<Entered> form={form} layout="vertical" className="narrow" requiredMark={false} onFinish={send} onFinishFailed={refusal.look}>
          {refusal.summary}
          <h3>{t('tenant.push')}</h3>
          <Form.Item label={t('tenant.template')} htmlFor="push-template">
            <Select
              id="push-template"
              placeholder={t('tenant.chooseTemplate')}
              options={templates.data?.map((x) => ({ value: x.Template, label: x.PushTitle }))}
              onChange={(key) => form.setFieldsValue(templates.data?.find((x) => x.Template === key) ?? {})}
            />
          </Form.Item>
          <Form.Item
            name="PushTitle"
            label={t('notice.PushTitle')}
            rules={[{ required: true, message: t('form.required', { field: t('notice.PushTitle') }) }]}
          >
            <Input maxLength={80} autoComplete="off" />
          </Form.Item>
          <Form.Item name="PushContent" label={t('notice.PushContent')} initialValue="">
            <Input.TextArea maxLength={2000} autoSize={{ minRows: 3, maxRows: 8 }} />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={push.isPending}>
            {t('tenant.send')}
          </Button>
          {refusal.count}
        </Form>
      )}
    </div>
  )
}
export default ManagerPart
