import { Alert, Button, Form, InputNumber, Table } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { firewallCalls } from '../contract.ts'

type Entered = { Port: number; Minutes: number }

/** Ports of this machine that are open for tunnels, with their expiry. */
const Ports = () => {
  const t = useWords()
  const confirm = useConfirm()
  const [form] = Form.useForm<Entered>()
  const { data, error, refetch } = useCall(firewallCalls.state, { of: ['firewallPort'] })
  const [mayOpen, mayClose] = [useMay('m10435.open'), useMay('m10435.close')]
  const open = useCommand(firewallCalls.open, ['firewallPort'], { meta: { quiet: true } })
  const refusal = useFormRefusal(form, open.error)
  const close = useCommand(firewallCalls.close, ['firewallPort'])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const ask = (Port: number) =>
    confirm({
      title: t('firewall.closeTitle', { port: Port }),
      content: t('firewall.closeText'),
      okText: t('button.close'),
      run: () => close.mutateAsync({ query: { Port } }),
    })
  return (
    <Page title={t('menu.m10435')}>
      {data?.Driver === 'none' && <Alert type="info" showIcon className="form-summary" title={t('firewall.none')} />}
      {mayOpen && data && (
        <Form<Entered>
          form={form}
          layout="inline"
          initialValues={{ Minutes: 120 }}
          onFinish={(query) => open.mutate({ query })}
          onFinishFailed={refusal.look}
          style={{ marginBottom: 16 }}
        >
          <div style={{ flex: '1 0 100%' }}>{refusal.summary}</div>
          <Form.Item
            name="Port"
            label={t('firewall.port')}
            rules={[{ required: true, message: t('form.required', { field: t('firewall.port') }) }]}
          >
            <InputNumber min={data.From} max={data.To} controls={false} style={{ width: 132 }} placeholder={`${data.From}–${data.To}`} />
          </Form.Item>
          <Form.Item name="Minutes" label={t('firewall.minutes')}>
            <InputNumber min={1} max={1440} controls={false} />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={open.isPending}>
            {t('button.open')}
          </Button>
        </Form>
      )}
      <Table
        rowKey="Port"
        size="small"
        loading={!data}
        dataSource={data?.Items ?? []}
        locale={{ emptyText: <EmptyList text={t('firewall.nothing')} /> }}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        scroll={{ x: 'max-content' }}
        columns={[
          { key: 'port', title: t('firewall.port'), dataIndex: 'Port' },
          {
            key: 'state',
            title: t('firewall.state'),
            render: (_, p) => <State is={p.Status ? 'normal' : 'offline'}>{t(`firewall.state.${p.Status}`)}</State>,
          },
          { key: 'open', title: t('firewall.opened'), dataIndex: 'OpenTime' },
          { key: 'until', title: t('firewall.until'), dataIndex: 'CloseTime' },
          { key: 'by', title: t('firewall.by'), dataIndex: 'UserName' },
          {
            key: 'actions',
            render: (_, p) =>
              mayClose &&
              p.Status === 1 && (
                <Button size="small" danger onClick={() => ask(p.Port)}>
                  {t('button.close')}
                </Button>
              ),
          },
        ]}
      />
    </Page>
  )
}
export default Ports
