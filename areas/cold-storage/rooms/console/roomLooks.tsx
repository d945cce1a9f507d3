import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Shown, useCall, useRemove } from '../../../../console/kernel/api.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { To, useGo } from '../../../../console/shell/To.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { State } from '../../../../console/theme/State.tsx'
import type { Words } from '../../../../console/words/words.ts'
import { useWords } from '../../../../console/words/words.ts'
import { roomCalls } from '../calls.ts'
import { coldStorage, finished } from '../contract.ts'
import { BindForm } from './BindForm.tsx'
import { InitWizard } from './InitWizard.tsx'
import { bandText, degrees, percent, type RoomRow } from './roomRow.ts'
import { Spark } from './Spark.tsx'
import './cold.css'

type Room = Shown<typeof coldStorage>

export const head = (row: Room, t: Words) => {
  const of = row as RoomRow
  return {
    figures: [
      { label: t('coldSensorBind.SensorType.1'), value: degrees(of.LastTemp) },
      { label: t('cold.band'), value: bandText(of) },
      ...(of.LastHum === null ? [] : [{ label: t('coldSensorBind.SensorType.2'), value: percent(of.LastHum) }]),
      ...(of.LastDoor === null ? [] : [{ label: t('coldSensorBind.SensorType.3'), value: t(of.LastDoor ? 'cold.open' : 'cold.closed') }]),
      { label: t('coldStorage.BindCount'), value: String(of.BindCount) },
    ],
  }
}

/** The last day, what is missing, and where to look closer. */
export const Notice = ({ row }: { row: Room }) => {
  const t = useWords()
  const isReady = row.InitStatus === finished
  const { data } = useCall(roomCalls.curves, {
    body: { Ids: [row.Id] },
    of: ['coldCalibration', 'coldSensorBind'],
    enabled: isReady,
    refetchInterval: 60_000,
  })
  const { data: state } = useCall(roomCalls.finished, {
    query: { Id: row.Id },
    of: ['coldStorage', 'coldSensorBind', 'coldCalibration', 'point'],
  })
  const curve = data?.Items[0]
  return (
    <div className="stack-tight">
      {curve && <Spark low={curve.Low} high={curve.High} band={[row.TempLow, row.TempHigh]} />}
      {state?.Missing.map(({ Code, SensorName, Text, IsNeeded }) => (
        <State key={`${Code} ${SensorName}`} is={IsNeeded ? 'warning' : 'notice'}>
          {Text}
        </State>
      ))}
      <p className="button-row">
        <Link to="/dataAnalysis/temperatureHumidity">{t('menu.m10323')}</Link>
        <Link to="/dataAnalysis/doorStatistics">{t('menu.m10322')}</Link>
      </p>
    </div>
  )
}

export const Actions = ({ row }: { row: Room }) => {
  const t = useWords()
  const confirm = useConfirm()
  const go = useGo()
  const remove = useRemove(coldStorage)
  const [mayBind, mayEdit, mayRemove, mayCombine] = [
    useMay('m10731.bind'),
    useMay('m10731.edit'),
    useMay('m10731.remove'),
    useMay('m10732'),
  ]
  const [open, set] = useState<'init' | 'bind' | 'edit'>()
  const close = () => set(undefined)
  const isReady = row.InitStatus === finished
  const ask = () =>
    confirm({
      title: t('list.removeOne', { title: row.StorageName }),
      content: t('remove.coldStorage'),
      run: () => remove.mutateAsync([row.Id]).then(() => go('/powerManagement/coldRooms')),
    })
  return (
    <>
      {mayBind && !isReady && (
        <Button type="primary" onClick={() => set('init')}>
          {t('cold.setUp')}
        </Button>
      )}
      {mayBind && isReady && row.IsCompose === 0 && <Button onClick={() => set('bind')}>{t('cold.bind')}</Button>}
      {row.IsCompose === 1 && mayCombine && <To to="/powerManagement/combination">{t('menu.m10732')}</To>}
      {mayEdit && <Button onClick={() => set('edit')}>{t('button.edit')}</Button>}
      {mayRemove && (
        <Button danger onClick={ask}>
          {t('button.remove')}
        </Button>
      )}
      {open === 'init' && <InitWizard room={row as RoomRow} close={close} />}
      {open === 'bind' && <BindForm room={row as RoomRow} close={close} />}
      {open === 'edit' && <ResourceForm of={coldStorage} row={row} close={close} />}
    </>
  )
}
