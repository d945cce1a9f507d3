import { Select } from 'antd'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { componentCalls, type DoorMessage, networkComponent } from '../../network-components/contract.ts'

type Props = { gateway: number; choose: (message: DoorMessage) => void }
/** The last messages of a sender, as samples for a parser. */
export const RealMessages = ({ gateway, choose }: Props) => {
  const t = useWords()
  const may = useMay(networkComponent.permission)
  const { data: doors } = useRows(networkComponent, { PageIndex: 1, PageSize: 1, GatewayId: gateway }, { enabled: may })
  const door = doors?.Items[0]?.Id
  const { data: messages } = useCall(componentCalls.messages, {
    query: { Id: door ?? 0 },
    of: [networkComponent.name],
    enabled: door !== undefined,
    refetchInterval: 5000,
  })
  if (!may || (doors && door === undefined)) return null
  if (messages && !messages.length) return <p className="soft">{t('sender.noMessages')}</p>
  return (
    <Select
      aria-label={t('dataParse.realMessage')}
      placeholder={t('dataParse.realMessage')}
      value={null}
      loading={!messages}
      options={(messages ?? []).map(({ Id, Time, Topic, Payload }) => ({
        value: Id,
        label: `${timeText(Time)} ${Topic} ${Payload.slice(0, 60)}`,
      }))}
      onChange={(id: number | null) => {
        const chosen = messages?.find(({ Id }) => Id === id)
        if (chosen) choose(chosen)
      }}
    />
  )
}
