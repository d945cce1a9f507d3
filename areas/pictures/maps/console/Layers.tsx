import { Checkbox } from 'antd'
import { Link } from 'react-router'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { useLayers } from './useLayers.ts'

/** Switches for the company's own layers, and a link to manage them. */
export const Layers = ({ of: { all, isOn, turn } }: { of: ReturnType<typeof useLayers> }) => {
  const t = useWords()
  const may = useMay('m10312')
  if (!all.length && !may) return null
  return (
    <fieldset className="map-layers">
      <legend>{t('menu.m10312')}</legend>
      {all.map((layer) => (
        <Checkbox key={layer.Id} checked={isOn(layer)} onChange={({ target }) => turn(layer.Id, target.checked)}>
          {layer.LayerName}
        </Checkbox>
      ))}
      {may && <Link to="/visualizationCenter/mapLayers">{t('map.manageLayers')}</Link>}
    </fieldset>
  )
}
