import { Alert, Button, Checkbox, Input, Select, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type GivenSensor, type ProposedSensor, roomCalls } from '../calls.ts'
import { calibrated, positions, type SensorType, sensorTypes } from '../contract.ts'
import type { RoomRow } from './roomRow.ts'

/** What people have filled in, by point. Points that they did not touch are as proposed. */
type Entry = { isUsed?: boolean; SensorType?: SensorType; Position?: number | null; ProductSN?: string }
type Draft = { SN: string; entries: Record<string, Entry> }
const quiet = { meta: { quiet: true } }
const changed = ['coldStorage', 'coldSensorBind', 'coldCalibration', 'alarmRule']

/** Kept in this tab until the room is ready, so that closing the panel, or the page, loses nothing. */
const useDraft = (room: RoomRow) => {
  const key = `cold-init-${room.Id}`
  const [draft, set] = useState<Draft>(() => {
    const fresh = { SN: room.SN ?? '', entries: {} }
    try {
      return { ...fresh, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>) }
    } catch {
      return fresh
    }
  })
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(draft)), [key, draft])
  return { draft, set, forget: () => sessionStorage.removeItem(key) }
}

const entryOf = ({ SensorType, Position, IsBound }: ProposedSensor, entry: Entry = {}) => ({
  isUsed: entry.isUsed ?? (SensorType !== null && IsBound === 0),
  type: entry.SensorType ?? (SensorType as SensorType | null) ?? undefined,
  position: entry.Position === undefined ? Position : entry.Position,
  serial: entry.ProductSN ?? '',
})

type LineProps = { of: ProposedSensor; entry: Entry | undefined; change: (part: Entry) => void }
const Line = ({ of, entry, change }: LineProps) => {
  const t = useWords()
  const { isUsed, type, position, serial } = entryOf(of, entry)
  const name = `${of.DeviceName} · ${of.ParaName}`
  return (
    <li className="cold-line">
      <Checkbox checked={isUsed} disabled={of.IsBound === 1} onChange={({ target }) => change({ isUsed: target.checked })}>
        {name}{' '}
        <span className="soft figures">
          {of.IsBound === 1 ? t('cold.isBound') : of.Value === null ? '' : `${numberText(of.Value, 1, language())} ${of.Unit}`}
        </span>
      </Checkbox>
      {isUsed && (
        <div className="cold-line-fields">
          <Select<SensorType>
            value={type}
            placeholder={t('coldSensorBind.SensorType')}
            aria-label={`${name}: ${t('coldSensorBind.SensorType')}`}
            options={sensorTypes.map((value) => ({ value, label: t(`coldSensorBind.SensorType.${value}`) }))}
            onChange={(SensorType) => change({ SensorType })}
          />
          {type !== undefined && calibrated.includes(type) && (
            <Select
              allowClear
              value={position}
              placeholder={t('coldSensorBind.Position')}
              aria-label={`${name}: ${t('coldSensorBind.Position')}`}
              options={positions.map((value) => ({ value, label: t(`coldSensorBind.Position.${value}`) }))}
              onChange={(Position: number | undefined) => change({ Position: Position ?? null })}
            />
          )}
          <Input
            value={serial}
            maxLength={40}
            placeholder={t('coldSensorBind.ProductSN')}
            aria-label={`${name}: ${t('coldSensorBind.ProductSN')}`}
            onChange={({ target }) => change({ ProductSN: target.value })}
          />
        </div>
      )}
    </li>
  )
}

const givenOf = (of: ProposedSensor, entry: Entry | undefined): GivenSensor[] => {
  const { isUsed, type, position, serial } = entryOf(of, entry)
  if (!isUsed || type === undefined || of.IsBound === 1) return []
  const Position = calibrated.includes(type) ? (position as GivenSensor['Position']) : null
  return [{ ParaId: of.ParaId, SensorType: type, Position: Position ?? null, ProductSN: serial.trim() || null }]
}

/** Sets a room up: the gateway, which of its points are sensors of the room, and what is still missing. */
export const InitWizard = ({ room, close }: { room: RoomRow; close: () => void }) => {
  const t = useWords()
  const { draft, set, forget } = useDraft(room)
  const [asked, ask] = useState(draft.SN)
  const settings = useCall(roomCalls.settings, { query: { SN: asked }, of: ['point'], enabled: asked !== '' })
  const init = useCommand(roomCalls.init, changed, quiet)
  const found = settings.error || asked === '' ? undefined : settings.data
  const Sensors = found?.Sensors.flatMap((of) => givenOf(of, draft.entries[of.ParaId])) ?? []
  const send = () => init.mutate({ body: { Id: room.Id, SN: asked, Sensors } }, { onSuccess: ({ Finished }) => Finished === 1 && forget() })
  const change = (id: number) => (part: Entry) =>
    set((now) => ({ ...now, entries: { ...now.entries, [id]: { ...now.entries[id], ...part } } }))
  const said = init.error && (Object.values(init.error.details.Fields ?? {}).flat()[0] ?? init.error.message)
  const done = init.data?.Finished === 1
  return (
    <SidePanel
      width={640}
      title={t('cold.setUpOf', { name: room.StorageName })}
      onClose={close}
      footer={
        <div className="form-foot">
          <Button onClick={close}>{t(done ? 'cold.close' : 'cancel')}</Button>
          {!done && (
            <Button type="primary" disabled={!found || !Sensors.length} loading={init.isPending} onClick={send}>
              {t('cold.bindThese', { count: Sensors.length })}
            </Button>
          )}
        </div>
      }
    >
      <div className="stack">
        <Input.Search
          value={draft.SN}
          maxLength={32}
          disabled={done}
          placeholder={t('coldStorage.SN')}
          aria-label={t('coldStorage.SN')}
          enterButton={t('cold.look')}
          loading={settings.isFetching}
          onChange={({ target }) => set((now) => ({ ...now, SN: target.value }))}
          onSearch={(text) => ask(text.trim())}
        />
        {settings.error && asked !== '' && <Alert type="error" showIcon title={t('cold.noGateway')} />}
        {!found && settings.isFetching && <Skeleton active />}
        {said && <Alert type="error" showIcon title={said} />}
        {init.data && (
          <div className="stack-tight" role="status">
            <State is={done ? 'normal' : 'warning'}>{t(done ? 'cold.isReady' : 'cold.isNotReady')}</State>
            {init.data.Missing.map(({ Code, SensorName, Text, IsNeeded }) => (
              <State key={`${Code} ${SensorName}`} is={IsNeeded ? 'warning' : 'notice'}>
                {Text}
              </State>
            ))}
          </div>
        )}
        {found && !done && (
          <>
            <p className="soft">{t(found.Sensors.length ? 'cold.proposed' : 'cold.noPoints', { name: found.GatewayName })}</p>
            <ul className="cold-lines">
              {found.Sensors.map((of) => (
                <Line key={of.ParaId} of={of} entry={draft.entries[of.ParaId]} change={change(of.ParaId)} />
              ))}
            </ul>
          </>
        )}
      </div>
    </SidePanel>
  )
}
