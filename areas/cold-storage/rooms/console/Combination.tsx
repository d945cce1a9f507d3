import { Alert, Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCommand } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { roomCalls } from '../calls.ts'
import { finished } from '../contract.ts'
import { bandText, type RoomRow, useRooms } from './roomRow.ts'
import './cold.css'

const path = '/powerManagement/coldRooms'

/** Rooms that can become a part of another. */
const Compose = ({ rooms }: { rooms: readonly RoomRow[] }) => {
  const t = useWords()
  const mayCompose = useMay('m10731.compose')
  const [chosen, choose] = useState<readonly number[]>([])
  const [name, setName] = useState('')
  const compose = useCommand(roomCalls.compose, ['coldStorage'], { meta: { quiet: true } })
  const first = rooms.find(({ Id }) => chosen.includes(Id))
  const said = compose.error && (Object.values(compose.error.details.Fields ?? {}).flat()[0] ?? compose.error.message)
  const send = () =>
    compose.mutate(
      { body: { StorageName: name.trim(), MemberIds: [...chosen] } },
      {
        onSuccess: () => {
          choose([])
          setName('')
        },
      },
    )
  return (
    <section className="panel">
      <h2>{t('cold.single')}</h2>
      {!rooms.length && <p className="soft">{t('cold.noSingle')}</p>}
      <ul className="cold-lines">
        {rooms.map((room) => (
          <li key={room.Id} className="cold-line">
            <Checkbox
              disabled={!mayCompose || (first !== undefined && first.ProjectId !== room.ProjectId)}
              checked={chosen.includes(room.Id)}
              onChange={({ target }) => choose(target.checked ? [...chosen, room.Id] : chosen.filter((id) => id !== room.Id))}
            >
              {room.StorageName}
            </Checkbox>
            <span className="soft">
              {String(room.ProjectName ?? '')} · <span className="figures">{bandText(room)}</span>
            </span>
          </li>
        ))}
      </ul>
      {said && <Alert type="error" showIcon title={said} />}
      {mayCompose && rooms.length > 1 && (
        <div className="cold-compose">
          <Input
            value={name}
            maxLength={60}
            placeholder={t('cold.composedName')}
            aria-label={t('cold.composedName')}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="primary" disabled={chosen.length < 2 || !name.trim()} loading={compose.isPending} onClick={send}>
            {t('cold.compose')}
          </Button>
        </div>
      )}
    </section>
  )
}

const Composed = ({ rooms, all }: { rooms: readonly RoomRow[]; all: readonly RoomRow[] }) => {
  const t = useWords()
  const confirm = useConfirm()
  const mayCompose = useMay('m10731.compose')
  const split = useCommand(roomCalls.split, ['coldStorage'])
  const ask = (room: RoomRow) =>
    confirm({
      title: t('cold.splitAsk', { name: room.StorageName }),
      content: t('cold.splitText'),
      okText: t('cold.split'),
      danger: false,
      run: () => split.mutateAsync({ body: { Id: room.Id } }),
    })
  return (
    <section className="panel">
      <h2>{t('cold.composed')}</h2>
      {!rooms.length && <p className="soft">{t('cold.noComposed')}</p>}
      <ul className="cold-lines">
        {rooms.map((room) => (
          <li key={room.Id} className="cold-line">
            <Link to={`${path}?Id=${room.Id}`}>{room.StorageName}</Link>
            <span className="soft">
              {room.SplitTime === null
                ? all
                    .filter(({ ParentId }) => ParentId === room.Id)
                    .map(({ StorageName }) => StorageName)
                    .join(', ')
                : t('cold.isSplit', { time: room.SplitTime })}
            </span>
            {mayCompose && room.SplitTime === null && (
              <Button size="small" onClick={() => ask(room)}>
                {t('cold.split')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Several rooms as one, such as those on one compressor set. */
const Combination = () => {
  const t = useWords()
  const { data, error, refetch } = useRooms()
  const all = data?.Items ?? []
  const single = all.filter(({ IsCompose, ParentId, InitStatus }) => IsCompose === 0 && ParentId === null && InitStatus === finished)
  return (
    <Page title={t('menu.m10732')} actions={<Link to={path}>{t('menu.m10731')}</Link>}>
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : !all.length ? (
        <EmptyList text={t('empty.coldStorage')} />
      ) : (
        <div className="cold-two">
          <Compose rooms={single} />
          <Composed rooms={all.filter(({ IsCompose }) => IsCompose === 1)} all={all} />
        </div>
      )}
    </Page>
  )
}
export default Combination
