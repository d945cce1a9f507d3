import { Typography } from 'antd'
import { Link } from 'react-router'
import { useCall, useCommand, useRow } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay, useUser } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TileSettings } from '../../../pictures/maps/console/index.ts'
import { enterprise, enterpriseCalls } from '../contract.ts'
import { GrantFacts } from './GrantFacts.tsx'
import { TenantForm } from './TenantForm.tsx'

const fields = [
  'SysName',
  'Logo',
  'Contact',
  'Phone',
  'Address',
  'CurrencyCode',
  'MapProvider',
  'BaiduKey',
  'Longitude',
  'Latitude',
  'About',
] as const

/** Tenant settings for its manager, the login link, and the tenant's limits. */
const OwnEnterprise = () => {
  const t = useWords()
  const { data, error, refetch } = useRow(enterprise, useUser()?.EnterpriseId)
  const grant = useCall(enterpriseCalls.auth, { of: ['enterprise', 'gateway', 'user', 'point'] })
  const [mayEdit, mayApi] = [useMay('m10406.edit'), useMay('m10433')]
  const save = useCommand(enterpriseCalls.setSystem, ['enterprise'], { meta: { quiet: true } })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const link = data && `${location.origin}/login?id=${data.Slug}`
  return (
    <Page title={t('menu.m10406')}>
      {grant.data && <GrantFacts grant={grant.data} />}
      {data && (
        <TenantForm
          fields={fields}
          row={data}
          disabled={!mayEdit}
          save={{ ...save, mutate: (body, done) => save.mutate({ body: body as never }, done) }}
        >
          <p>
            <strong>{data.Name}</strong>
          </p>
          <p className="soft">
            {t('tenant.loginLink')}:{' '}
            <Typography.Text copyable className="mono">
              {link}
            </Typography.Text>
          </p>
          {mayApi && (
            <p>
              <Link to="/systemManagement/interfaceManage">{t('menu.m10433')}</Link>
            </p>
          )}
        </TenantForm>
      )}
      {data && <TileSettings />}
    </Page>
  )
}
export default OwnEnterprise
