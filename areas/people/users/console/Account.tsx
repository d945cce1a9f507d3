import { App, Button, Form, Input, Select, Table } from 'antd'
import { PictureInput } from '../../../../console/files/PictureInput.tsx'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { startSession, useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { flowchart, viewing } from '../../../pictures/flowcharts/contract.ts'
import { MyMessages } from '../../../system/wechat/console/MyMessages.tsx'
import { user, userCalls } from '../contract.ts'

type Profile = {
  Avatar: string | null
  UserName: string
  Phone: string | null
  Email: string | null
  TimeZoneKey: string | null
  Language: string | null
  IndexFlowchartId: number | null
  Pwd?: string | null
}
const fields = ['UserName', 'Phone', 'Email'] as const
const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))

const Sessions = () => {
  const t = useWords()
  const { data, error, refetch } = useCall(userCalls.sessions, { of: ['session'] })
  const end = useCommand(userCalls.endSession, ['session'])
  if (error) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Table
      rowKey="Session"
      size="small"
      pagination={false}
      loading={!data}
      dataSource={data}
      scroll={{ x: 'max-content' }}
      columns={[
        { title: t('account.agent'), dataIndex: 'Agent', render: (agent: string) => agent.replace(/^Mozilla\/5.0 /, '').slice(0, 60) },
        { title: t('account.address'), dataIndex: 'Ip' },
        { title: t('account.since'), dataIndex: 'CreateTime' },
        { title: t('account.last'), dataIndex: 'LastTime' },
        {
          title: <span className="sr-only">{t('list.actions')}</span>,
          render: (_, row) =>
            row.Current ? (
              <span className="soft">{t('account.here')}</span>
            ) : (
              <Button size="small" danger onClick={() => end.mutate({ body: { Session: row.Session } })}>
                {t('account.signOutThere')}
              </Button>
            ),
        },
      ]}
    />
  )
}

/** The user's profile and sessions. */
const Account = () => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Profile>()
  const { data, error, refetch } = useCall(userCalls.account, { of: ['user'] })
  const save = useCommand(userCalls.setAccount, ['user'], { meta: { quiet: true } })
  const mayLook = useMay(viewing)
  const refusal = useFormRefusal(form, save.error)
  const [phone, email] = [Form.useWatch('Phone', form), Form.useWatch('Email', form)]
  const held = data as Profile | undefined
  const moves = held && ((phone || null) !== held.Phone || (email || null) !== held.Email)
  const submit = (entered: Profile) => {
    const { Pwd, ...rest } = entered
    const body = { ...Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, v || null])), ...(Pwd ? { Pwd } : {}) } as typeof rest
    save.mutate(
      { body },
      {
        onSuccess: () => {
          form.setFieldValue('Pwd', undefined)
          message.success(t('account.saved'))
          void startSession()
        },
      },
    )
  }
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Page title={t('menu.m10405')}>
      {data && (
        <Form<Profile>
          form={form}
          layout="vertical"
          className="form-page"
          requiredMark={false}
          initialValues={data}
          onFinish={submit}
          onFinishFailed={refusal.look}
        >
          {refusal.summary}
          <section className="form-section">
            <div className="form-two">
              <Form.Item name="Avatar" label={t('user.Avatar')}>
                <PictureInput purpose="avatar" absolute />
              </Form.Item>
              <Form.Item label={t('user.UserNO')}>
                {data.UserNO as string} <span className="soft">{data.RoleNames as string}</span>
              </Form.Item>
              {fields.map((name) => (
                <Form.Item key={name} name={name} label={t(`user.${name}`)} required={name === 'UserName'}>
                  <Input maxLength={user.fields[name].max} autoComplete="off" />
                </Form.Item>
              ))}
              {moves && (
                <Form.Item name="Pwd" label={t('password.old')} rules={[{ required: true, message: t('password.oldMissing') }]}>
                  <Input.Password autoComplete="current-password" />
                </Form.Item>
              )}
              <Form.Item name="TimeZoneKey" label={t('user.TimeZoneKey')}>
                <Select showSearch allowClear placeholder={t('account.followsBrowser')} options={zones} />
              </Form.Item>
              <Form.Item name="Language" label={t('user.Language')}>
                <Select
                  allowClear
                  placeholder={t('account.followsBrowser')}
                  options={user.fields.Language.of.map((value) => ({ value, label: t(`user.Language.${value}`) }))}
                />
              </Form.Item>
              {mayLook && (
                <Form.Item name="IndexFlowchartId" label={t('user.IndexFlowchartId')}>
                  <RefInput to={flowchart} where={{ State: 1, EnterpriseId: data.EnterpriseId }} placeholder={t('account.dashboard')} />
                </Form.Item>
              )}
            </div>
          </section>
          <div className="form-save">
            <Button type="primary" htmlType="submit" loading={save.isPending}>
              {t('save')}
            </Button>
            {refusal.count}
          </div>
        </Form>
      )}
      <MyMessages />
      <h2>{t('account.sessions')}</h2>
      <Sessions />
    </Page>
  )
}
export default Account
