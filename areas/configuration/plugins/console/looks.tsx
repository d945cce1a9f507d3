import './plugins.css'
import { Link } from 'react-router'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { State } from '../../../../console/theme/State.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import type { Protocol, Target } from '../../../../contract/protocols/protocol.ts'
import { Plug } from '../../channels/console/index.ts'
import { pluginCalls, protocolPlugin } from '../contract.ts'

type Plugin = Shown<typeof protocolPlugin>
const targets: readonly Target[] = ['dials', 'dialled', 'serial']

/** The abilities of a driver, in words. */
const abilitiesOf = (p: Protocol) => [
  ...targets.filter((target) => p.targets[target]),
  ...(p.polls ? (['polls'] as const) : []),
  ...(p.listens ? (['listens'] as const) : []),
  ...(p.browses ? (['browses'] as const) : []),
]

const UsedBy = ({ id }: { id: number }) => {
  const t = useWords()
  const { data } = useCall(pluginCalls.uses, { of: [protocolPlugin.name, 'netProtocol', 'serialProtocol', 'networkComponent'] })
  const uses = data?.find(({ Id }) => Id === id)
  if (!uses) return null
  const names = uses.UsedBy.map(({ Title }) => Title).join(', ')
  return (
    <small className="soft">
      {t('protocolPlugin.usedBy', { count: uses.Count })}: {names}
      {uses.Count > uses.UsedBy.length && ' …'}
    </small>
  )
}

const Name = ({ of: { Id, Kind, Number: number, PluginName, SelfParseId, DataParseId } }: { of: Plugin }) => {
  const t = useWords()
  const protocol = Kind === 1 ? protocolOf(number ?? -1) : undefined
  const help = protocol ? `protocol.${protocol.name}.help` : `sender.about.${number}`
  const settings = Object.keys(protocol?.channel ?? {}).map((name) => t(`setting.${name}`))
  const language = Kind === 2 && `networkComponent.Language.${number}`
  const content = SelfParseId ? `selfParse?Id=${SelfParseId}` : DataParseId ? `dataParse?Id=${DataParseId}` : undefined
  return (
    <div className="plugin-name">
      <Plug of={protocol?.name ?? ''} />
      <div>
        {content ? (
          <Link to={`/protocolManagement/${content}`}>{PluginName}</Link>
        ) : (
          <strong>{protocol ? t(`protocol.${protocol.name}`) : language ? t(language) : PluginName}</strong>
        )}
        {Kind <= 2 && hasWords(help) && <small className="soft">{t(help)}</small>}
        {protocol && (
          <small className="soft">
            {abilitiesOf(protocol)
              .map((one) => t(`protocolPlugin.can.${one}`))
              .join(' · ')}
          </small>
        )}
        {settings.length > 0 && (
          <small className="soft">
            {t('protocolPlugin.settings')}: {settings.join(', ')}
          </small>
        )}
        {Kind <= 2 && <UsedBy id={Id} />}
      </div>
    </div>
  )
}

const Switch = ({ of: { Status } }: { of: Plugin }) => {
  const t = useWords()
  return <State is={Status ? 'normal' : 'offline'}>{t(`protocolPlugin.Status.${Status}`)}</State>
}

export const looks = {
  cells: { PluginName: (row: Plugin) => <Name of={row} />, Status: (row: Plugin) => <Switch of={row} /> },
}
