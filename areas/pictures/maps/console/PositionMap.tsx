import { Button, Form } from 'antd'
import { useMemo, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { shownAt, storedAt } from '../coordinates.ts'
import { AddressSearch } from './AddressSearch.tsx'
import { MapView } from './MapView.tsx'
import { project, type Spot, unproject } from './mercator.ts'
import { useTiles } from './tiles.ts'

/** Five decimal places of a degree are a metre. */
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5
const isWithin = (value: unknown, most: number): value is number => typeof value === 'number' && Math.abs(value) <= most

/** The map, loaded on request. */
const OpenMap = () => {
  const t = useWords()
  const form = Form.useFormInstance()
  const { tiles, isPending } = useTiles()
  const longitude: unknown = Form.useWatch('Longitude', form)
  const latitude: unknown = Form.useWatch('Latitude', form)
  const places = useMemo(() => {
    if (!isWithin(longitude, 180) || !isWithin(latitude, 90)) return []
    const at = shownAt({ longitude, latitude }, tiles?.System)
    return [{ ...project(at.longitude, at.latitude), id: 0, name: t('map.position'), is: 'normal' as const }]
  }, [longitude, latitude, tiles, t])
  const set = (at: { longitude: number; latitude: number }) =>
    form.setFields([
      { name: 'Longitude', value: rounded(at.longitude), touched: true, errors: [] },
      { name: 'Latitude', value: rounded(at.latitude), touched: true, errors: [] },
    ])
  return (
    <>
      <AddressSearch begin={String(form.getFieldValue('Address') ?? '')} found={set} />
      <p className="soft">{t('map.pickHow')}</p>
      <div className="map-pick">
        {!isPending && (
          <MapView
            label={t('map.pickLabel')}
            places={places}
            choose={() => undefined}
            pick={(spot: Spot) => set(storedAt(unproject(spot), tiles?.System))}
            tiles={tiles}
          />
        )}
      </div>
    </>
  )
}

/** Sets the fields Longitude and Latitude of the surrounding form by a click. The map loads on request. */
const PositionMap = () => {
  const t = useWords()
  const [open, setOpen] = useState(false)
  return <Form.Item>{open ? <OpenMap /> : <Button onClick={() => setOpen(true)}>{t('map.pick')}</Button>}</Form.Item>
}
export default PositionMap
