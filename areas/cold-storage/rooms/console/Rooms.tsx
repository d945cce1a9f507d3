import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { To } from '../../../../console/shell/To.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { mostCurves, roomCalls } from '../calls.ts'
import { coldStorage, finished } from '../contract.ts'
import { InitWizard } from './InitWizard.tsx'
import { bandText, degrees, isOutside, percent, type RoomRow, useRooms } from './roomRow.ts'
import { Spark } from './Spark.tsx'
import './cold.css'

const path = '/powerManagement/coldRooms'
type Curve = { Low: readonly (number | null)[]; High: readonly (number | null)[] }

/** What is wrong with a room now, the worst first. */
const Notes = ({ of }: { of: RoomRow }) => {
  const t = useWords()
  const isReady = of.InitStatus === finished
  return (
    <>
      {isReady && of.LastTemp === null && of.SplitTime === null && <State is="offline">{t('cold.silent')}</State>}
      {of.LastDoor === 1 && <State is="notice">{t('cold.doorOpen')}</State>}
      {of.CalibExpired > 0 && <State is="warning">{t('cold.calibExpired', { count: of.CalibExpired })}</State>}
      {of.CalibSoon > 0 && <State is="notice">{t('cold.calibSoon', { count: of.CalibSoon })}</State>}
      {of.SplitTime !== null && <span className="soft">{t('cold.isSplit', { time: of.SplitTime })}</span>}
      {of.ParentId !== null && <span className="soft">{t('cold.partOf', { name: String(of.ParentName ?? '') })}</span>}
    </>
  )
}

const Card = ({ of, curve, setUp }: { of: RoomRow; curve: Curve | undefined; setUp: (() => void) | undefined }) => {
  const t = useWords()
  const outside = isOutside(of)
  const isReady = of.InitStatus === finished
  return (
    <li className="panel cold-card">
      <div className="cold-card-head">
        <h2>
          <Link to={`${path}?Id=${of.Id}`}>{of.StorageName}</Link>
        </h2>
        <span className="soft">{t(of.IsCompose ? 'coldStorage.IsCompose' : `cold.kind.${of.StorageType}`)}</span>
      </div>
      {isReady ? (
        <>
          <div className="cold-card-now">
            <strong className={`figures cold-temperature ${outside ? 'state-alarm' : ''}`}>{degrees(of.LastTemp)}</strong>
            <span className="soft">
              {t('cold.band')} <span className="figures">{bandText(of)}</span>
            </span>
            {outside && <State is="alarm">{t('cold.outside', { low: degrees(of.LastTempMin), high: degrees(of.LastTempMax) })}</State>}
          </div>
          {curve && <Spark low={curve.Low} high={curve.High} band={[of.TempLow, of.TempHigh]} />}
          <p className="cold-card-foot">
            {of.LastHum !== null && (
              <span className="soft">
                {t('coldSensorBind.SensorType.2')} <span className="figures">{percent(of.LastHum)}</span>
              </span>
            )}
            <Notes of={of} />
          </p>
        </>
      ) : (
        <div className="stack-tight">
          <State is="notice">{t(`cold.init.${of.InitStatus}`)}</State>
          {setUp && (
            <Button type="primary" onClick={setUp}>
              {t('cold.setUp')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

const Cards = ({ rows, init }: { rows: readonly RoomRow[]; init: (row: RoomRow) => void }) => {
  const mayBind = useMay('m10731.bind')
  const Ids = rows
    .filter(({ InitStatus }) => InitStatus === finished)
    .slice(0, mostCurves)
    .map(({ Id }) => Id)
  const { data } = useCall(roomCalls.curves, {
    body: { Ids },
    of: ['coldCalibration', 'coldSensorBind'],
    enabled: Ids.length > 0,
    refetchInterval: 60_000,
  })
  const curves = new Map(data?.Items.map((one) => [one.Id, one]))
  return (
    <ul className="cold-cards">
      {rows.map((row) => (
        <Card key={row.Id} of={row} curve={curves.get(row.Id)} setUp={mayBind ? () => init(row) : undefined} />
      ))}
    </ul>
  )
}

/** Every cold room: is it cold enough now, and was it in the last day. */
const Rooms = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const [text, type] = useState('')
  const [adding, add] = useState(false)
  const [initOf, init] = useState<RoomRow>()
  const [mayAdd, mayCombine] = [useMay('m10731.add'), useMay('m10732')]
  const ProjectId = Number(params.get('ProjectId')) || undefined
  const { data, error, refetch } = useRooms({ ...(ProjectId ? { ProjectId } : {}), ...(text.trim() ? { Search: text.trim() } : {}) })
  const rows = [...(data?.Items ?? [])].sort((a, b) => Number(isOutside(b)) - Number(isOutside(a)))
  const isEmpty = data && !rows.length && !text.trim() && !ProjectId
  return (
    <Page
      title={t('menu.m10731')}
      actions={
        <>
          {mayCombine && <To to="/powerManagement/combination">{t('menu.m10732')}</To>}
          {mayAdd && !isEmpty && (
            <Button type="primary" onClick={() => add(true)}>
              {t('cold.add')}
            </Button>
          )}
        </>
      }
    >
      {!isEmpty && (
        <search className="search-bar">
          <Input.Search
            allowClear
            className="cold-search"
            placeholder={t('cold.find')}
            aria-label={t('cold.find')}
            value={text}
            onChange={({ target }) => type(target.value)}
          />
          <span className="search-filter">
            <RefInput
              to={project}
              value={ProjectId ?? null}
              placeholder={t('coldStorage.ProjectId')}
              aria-label={t('coldStorage.ProjectId')}
              onChange={(id) => setParams(id ? { ProjectId: String(id) } : {}, { replace: true })}
            />
          </span>
        </search>
      )}
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : !rows.length ? (
        <EmptyList
          text={t(isEmpty ? 'empty.coldStorage' : 'cold.noneFound')}
          action={mayAdd && { label: t('cold.add'), run: () => add(true) }}
        />
      ) : (
        <Cards rows={rows} init={init} />
      )}
      {data && data.TotalCount > rows.length && <p className="soft">{t('cold.more', { count: rows.length, of: data.TotalCount })}</p>}
      {adding && (
        <ResourceForm
          of={coldStorage}
          {...(ProjectId ? { fixed: { ProjectId } } : {})}
          onAdded={(row) => init(row as RoomRow)}
          close={() => add(false)}
        />
      )}
      {initOf && <InitWizard room={initOf} close={() => init(undefined)} />}
    </Page>
  )
}
export default Rooms
