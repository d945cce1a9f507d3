import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { componentCalls, type DoorState, type NetworkComponent, networkComponent } from '../contract.ts'

const first = 5
/** Separates bytes with spaces. */
export const hexText = (digits: string) => digits.replace(/..(?=.)/g, '$& ').toUpperCase()
/** The last messages as received, to inspect or to use in the parser's test bench. */
export const Messages = ({ of, state }: { of: NetworkComponent; state: DoorState | undefined }) => {
  const t = useWords()
  const [all, showAll] = useState(false)
  const { data } = useCall(componentCalls.messages, { query: { Id: of.Id }, of: [networkComponent.name], refetchInterval: 3000 })
  if (!data?.length) return <p className="soft">{t(state ? 'sender.noMessages' : 'sender.waiting')}</p>
  return (
    <>
      <ul className="sender-messages">
        {data.slice(0, all ? undefined : first).map(({ Id, Time, Topic, Payload, IsHex, Readings }) => (
          <li key={Id}>
            <span className="figures">{timeText(Time)}</span> <span className="soft">{Topic}</span>{' '}
            <span className="soft">{t('sender.readings', { count: Readings })}</span>
            <pre>{IsHex ? hexText(Payload) : Payload}</pre>
          </li>
        ))}
      </ul>
      {!all && data.length > first && <Button onClick={() => showAll(true)}>{t('sender.moreMessages', { count: data.length })}</Button>}
    </>
  )
}
