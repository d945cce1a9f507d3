import './settings.css'
import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import type { Refinement } from '../../../../console/kernel/ResourceForm.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmSetting, almGatewayTemplate } from '../contract.ts'

type Values = Record<string, unknown>
const faults = ['Offline', 'Power', 'Storage', 'Firmware'] as const

/** Hides the fields of faults that are not alarms. */
const refineTemplate = (values: Values): Refinement => ({
  hidden: [
    ...faults.flatMap((name) => (values[name] ? [] : [`${name}Level`, `${name}Delay`])),
    ...(values.Storage ? [] : ['StorageLimit']),
    ...(values.Firmware ? [] : ['FirmwareVer']),
  ],
  required: values.Firmware ? ['FirmwareVer'] : [],
})
const refineSetting = (values: Values): Refinement =>
  values.ProjectId ? { where: { GatewayId: { ProjectId: Number(values.ProjectId) } } } : {}

/** Gateway faults that are alarms: templates define the alarms, settings assign templates to gateways. */
const GatewaySettings = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const level = (row: Values, name: (typeof faults)[number]) =>
    row[name] ? (
      <span>
        {t(`almGatewayTemplate.${name}Level.${row[`${name}Level`]}`)}
        {Number(row[`${name}Delay`]) > 0 && (
          <span className="unit"> {t('gatewayAlarms.after', { seconds: Number(row[`${name}Delay`]) })}</span>
        )}
      </span>
    ) : (
      <span className="soft">{t('gatewayAlarms.none')}</span>
    )
  const settings = (
    <>
      <p className="soft setting-help">{t('gatewayAlarms.help')}</p>
      <ResourceList
        of={alarmSetting}
        prefix="setting."
        columns={['SettingName', 'AlmGatewayTemplateId', 'ProjectId', 'GatewayId', 'Enabled']}
        cells={{
          ProjectId: (row) => (row.ProjectId ? String(row.ProjectName) : row.GatewayId ? '' : t('gatewayAlarms.allProjects')),
          GatewayId: (row) => (row.GatewayId ? String(row.GatewayName) : t('gatewayAlarms.allGateways')),
        }}
        form={{ refine: refineSetting }}
      />
    </>
  )
  const templates = (
    <ResourceList
      of={almGatewayTemplate}
      prefix="template."
      columns={['TemplateName', ...faults]}
      cells={Object.fromEntries(faults.map((name) => [name, (row: Values) => level(row, name)]))}
      form={{ refine: refineTemplate }}
    />
  )
  return (
    <Page title={t('menu.m10209')}>
      <Tabs
        activeKey={params.get('tab') ?? 'settings'}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        destroyOnHidden
        items={[
          { key: 'settings', label: t('gatewayAlarms.where'), children: settings },
          { key: 'templates', label: t('gatewayAlarms.what'), children: templates },
        ]}
      />
    </Page>
  )
}
export default GatewaySettings
