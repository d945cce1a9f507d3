import { useCommand, useRow } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TileSettings } from '../../../pictures/maps/console/index.ts'
import { enterprise, enterpriseCalls } from '../contract.ts'
import { TenantForm } from './TenantForm.tsx'

/** Enterprise 1 is the platform (ruling 21). */
const platform = 1
const fields = ['SysName', 'Logo', 'Contact', 'Phone', 'MapProvider', 'BaiduKey', 'About'] as const

/** Name of the installation, and defaults for tenants. */
const Platform = () => {
  const t = useWords()
  const { data, error, refetch } = useRow(enterprise, platform)
  const [mayEdit, mayTiles] = [useMay('m10410.edit'), useMay('m10406')]
  const save = useCommand(enterpriseCalls.platformConfig, ['enterprise'], { meta: { quiet: true } })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Page title={t('menu.m10410')}>
      {data && (
        <TenantForm
          fields={fields}
          row={data}
          disabled={!mayEdit}
          save={{ ...save, mutate: (body, done) => save.mutate({ body: body as never }, done) }}
        >
          <p className="soft">{t('platform.help')}</p>
        </TenantForm>
      )}
      {data && mayTiles && <TileSettings />}
    </Page>
  )
}
export default Platform
