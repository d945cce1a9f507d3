import { App, Button } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { componentCalls, type NetworkComponent, networkComponent } from '../contract.ts'

/** Sends refused messages of the last day through the present parser. */
export const Replay = ({ of }: { of: NetworkComponent }) => {
  const t = useWords()
  const { message } = App.useApp()
  const may = useMay(`${networkComponent.permission}.replay`)
  const replay = useCommand(componentCalls.replay, [networkComponent.name], { meta: { quiet: true } })
  if (!may) return null
  const send = () =>
    replay.mutate(
      { body: { Id: of.Id } },
      {
        onSuccess: ({ Messages, Readings, Left, More }) => {
          const text = t('sender.replayed', { messages: Messages, readings: Readings, left: Left })
          message.info(More ? `${text} ${t('sender.replayMore')}` : text)
        },
      },
    )
  return (
    <div className="stack">
      <p className="soft">{t('sender.replayText')}</p>
      <div>
        <Button loading={replay.isPending} onClick={send}>
          {t('sender.replay')}
        </Button>
      </div>
      {replay.error && <Failure fault={replay.error} />}
    </div>
  )
}
