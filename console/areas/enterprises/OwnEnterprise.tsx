import { App, Button, Form, Input } from 'antd'
import { Link } from 'react-router'
import { enterprise, enterpriseCalls } from '../../../contract/areas/enterprises.ts'
import { Page } from '../../app/Page.tsx'
import { PictureInput } from '../../files/PictureInput.tsx'
import { useCommand, useRow } from '../../resource/api.ts'
import { Failure } from '../../resource/Empty.tsx'
import { useMay, useUser } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'

const fields = ['SysName', 'Logo', 'Contact', 'Phone', 'Address'] as const
type Entered = { [K in (typeof fields)[number]]: string | null }

/** What a tenant's manager sets of his own tenant, and its login link. */
const OwnEnterprise = () => {
  const t = useWords()
  const { message } = App.useApp()
  const { data, error, refetch } = useRow(enterprise, useUser()?.EnterpriseId)
  const [mayEdit, mayApi] = [useMay('m10406.edit'), useMay('m10433')]
  const save = useCommand(enterpriseCalls.setSystem, ['enterprise'], { meta: { quiet: true } })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const submit = (entered: Entered) =>
    save.mutate(
      { body: Object.fromEntries(fields.map((name) => [name, entered[name] || null])) as Entered },
      { onSuccess: () => message.success(t('tenant.saved')) },
    )
  return (
    <Page title={t('menu.m10406')}>
      {data && (
        <Form<Entered> layout="vertical" className="narrow" initialValues={data} disabled={!mayEdit} onFinish={submit}>
          {save.error && <Failure fault={save.error} />}
          <p>
            <strong>{data.Name}</strong>
          </p>
          <p className="soft">
            {t('tenant.loginLink')}: <span className="mono">{`${location.origin}/login?id=${data.Slug}`}</span>
          </p>
          {mayApi && (
            <p>
              <Link to="/systemManagement/interfaceManage">{t('menu.m10433')}</Link>
            </p>
          )}
          {fields.map((name) => (
            <Form.Item key={name} name={name} label={t(`enterprise.${name}`)}>
              {name === 'Logo' ? (
                <PictureInput purpose="logo" absolute disabled={!mayEdit} />
              ) : (
                <Input maxLength={enterprise.fields[name].max} autoComplete="off" />
              )}
            </Form.Item>
          ))}
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Form>
      )}
    </Page>
  )
}
export default OwnEnterprise
