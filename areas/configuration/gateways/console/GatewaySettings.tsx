import { Alert, App, Button, Flex, Table } from 'antd'
import { useState } from 'react'
import { type Shown, useRemove, useRows } from '../../../../console/kernel/api.ts'
import { CardList } from '../../../../console/kernel/CardList.tsx'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { gatewaySettings, type SettingName, settingNames, settingsCapability } from '../../../../contract/gateway-settings.ts'
import { type Gateway, gatewayPara } from '../contract.ts'
import { SettingDialog, settingText } from './SettingDialog.tsx'

type Line = { Id: number; name: SettingName; wanted: Shown<typeof gatewayPara> | undefined; running: string | number | undefined }

/** The settings of a gateway: wanted values next to reported ones. */
const GatewaySettings = ({ row: gateway }: { row: Gateway }) => {
  const t = useWords()
  const phone = usePhone()
  const { message } = App.useApp()
  const [mayAdd, mayEdit, mayRemove] = [useMay('m10102.add'), useMay('m10102.edit'), useMay('m10102.remove')]
  const { data, error, refetch } = useRows(gatewayPara, { GatewayId: gateway.Id, PageIndex: 1, PageSize: 100 })
  const remove = useRemove(gatewayPara)
  const [edited, setEdited] = useState<Line>()
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const takes = ((gateway.Capabilities ?? []) as string[]).includes(settingsCapability)
  const reported = (gateway.ReportedSettings ?? {}) as Record<string, string | number>
  const wishes = new Map(data?.Items.map((wish) => [wish.ParaCode, wish]))
  const lines = settingNames
    .filter((name) => (gatewaySettings[name].types as readonly number[]).includes(gateway.GatewayTypeId) || wishes.has(name))
    .map((name, i): Line => ({ Id: i + 1, name, wanted: wishes.get(name), running: reported[name] }))

  const text = (name: SettingName, value: string | number | null | undefined) => settingText(t, name, value)
  const wanted = ({ name, wanted, running }: Line) => (
    <Flex gap="small" align="center" wrap>
      {wanted ? text(name, wanted.ParaValue) : <span className="soft">{t('setting.default')}</span>}
      {takes && wanted && running !== undefined && String(running) !== wanted.ParaValue && (
        <span>
          <Shape is="warning" /> {t('setting.notPushed')}
        </span>
      )}
    </Flex>
  )
  const reset = ({ name, wanted }: Line) =>
    remove.mutate([wanted!.Id], {
      onSuccess: () => void message.success(t('setting.removed', { name: t(`gatewayPara.ParaCode.${name}`) })),
    })
  const actions = (line: Line) => (
    <Flex gap="small" wrap>
      {(line.wanted ? mayEdit : mayAdd) && (
        <Button
          size="small"
          onClick={() => setEdited(line)}
          aria-label={t('setting.edit', { name: t(`gatewayPara.ParaCode.${line.name}`) })}
        >
          {t('setting.change')}
        </Button>
      )}
      {line.wanted && mayRemove && (
        <Button size="small" onClick={() => reset(line)} loading={remove.isPending}>
          {t('setting.useDefault')}
        </Button>
      )}
    </Flex>
  )
  const columns = [
    { key: 'name', title: t('setting.name'), render: (_: unknown, { name }: Line) => t(`gatewayPara.ParaCode.${name}`) },
    { key: 'wanted', title: t('setting.wanted'), render: (_: unknown, line: Line) => wanted(line) },
    { key: 'running', title: t('setting.running'), render: (_: unknown, { name, running }: Line) => text(name, running) },
    { key: 'actions', title: '', render: (_: unknown, line: Line) => actions(line) },
  ]
  return (
    <div className="stack">
      {!takes && <Alert type="info" showIcon title={t(gateway.OnlineStatus === 2 ? 'setting.neverConnected' : 'setting.notTaken')} />}
      {phone ? (
        <CardList
          rows={data && lines}
          loading={!data}
          title={({ name }) => t(`gatewayPara.ParaCode.${name}`)}
          lines={(line) => [
            { key: 'wanted', label: t('setting.wanted'), content: wanted(line) },
            { key: 'running', label: t('setting.running'), content: text(line.name, line.running) },
          ]}
          actions={actions}
          empty={<EmptyList text={t('empty.gatewayPara')} />}
        />
      ) : (
        <Table<Line> size="small" rowKey="Id" loading={!data} dataSource={data ? lines : []} columns={columns} pagination={false} />
      )}
      {edited && <SettingDialog gateway={gateway} name={edited.name} wanted={edited.wanted} close={() => setEdited(undefined)} />}
    </div>
  )
}
export default GatewaySettings
