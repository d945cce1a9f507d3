import { Button, Form } from 'antd'
import { useMemo, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { MapView } from './MapView.tsx'
import { project, type Spot, unproject } from './mercator.ts'

/** Five places of a degree are a metre. */
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5
const isWithin = (value: unknown, most: number): value is number => typeof value === 'number' && Math.abs(value) <= most

/** Sets the fields Longitude and Latitude of the form around it by a click. The map is loaded when somebody wants it. */
const PositionMap = () => {
  const t = useWords()
  const form = Form.useFormInstance()
  const longitude: unknown = Form.useWatch('Longitude', form)
  const latitude: unknown = Form.useWatch('Latitude', form)
  const [open, setOpen] = useState(false)
  const places = useMemo(
    () =>
      isWithin(longitude, 180) && isWithin(latitude, 90)
        ? [{ ...project(longitude, latitude), id: 0, name: t('map.position'), is: 'normal' as const }]
        : [],
    [longitude, latitude, t],
  )
  const pick = (spot: Spot) => {
    const at = unproject(spot)
    form.setFields([
      { name: 'Longitude', value: rounded(at.longitude), touched: true, errors: [] },
      { name: 'Latitude', value: rounded(at.latitude), touched: true, errors: [] },
    ])
  }
  if (!open)
    return (
      <Form.Item>
        <Button onClick={() => setOpen(true)}>{t('map.pick')}</Button>
      </Form.Item>
    )
  return (
    <Form.Item>
      <p className="soft">{t('map.pickHow')}</p>
      <div className="map-pick">
        <MapView label={t('map.pickLabel')} places={places} choose={() => undefined} pick={pick} />
      </div>
    </Form.Item>
  )
}
export default PositionMap
