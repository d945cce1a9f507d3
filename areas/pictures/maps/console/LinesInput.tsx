import { UploadOutlined } from '@ant-design/icons'
import { App, Button, Upload } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { type Lines, linesOf, mostLayers, positionsIn } from '../layers.ts'

const mostBytes = 20 * 1024 * 1024
const isOnEarth = (lines: number[][][]) =>
  lines.every((line) => line.every(([longitude = 0, latitude = 0]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90))

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** Reads the lines of a GeoJSON file. Only their coordinates are kept and sent. */
export const LinesInput = ({ id, value, onChange }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const lines = (value ?? []) as Lines
  const read = async (file: File) => {
    if (file.size > mostBytes) return message.error(t('map.fileTooLarge'))
    let found: number[][][]
    try {
      found = linesOf(JSON.parse(await file.text()))
    } catch {
      return message.error(t('map.noGeoJson'))
    }
    if (!found.length) return message.error(t('map.noGeoJson'))
    if (!isOnEarth(found)) return message.error(t('map.notDegrees'))
    if (found.length > mostLayers.lines || positionsIn(found) > mostLayers.positions)
      return message.error(t('map.tooManyPositions', { lines: mostLayers.lines, max: mostLayers.positions }))
    onChange?.(found)
  }
  return (
    <div className="map-lines">
      {lines.length > 0 && <p>{t('map.linesRead', { count: lines.length, positions: positionsIn(lines) })}</p>}
      <Upload
        accept=".geojson,.json,application/geo+json,application/json"
        showUploadList={false}
        beforeUpload={(file) => {
          void read(file)
          return false
        }}
      >
        <Button id={id} icon={<UploadOutlined />}>
          {t(lines.length ? 'map.otherFile' : 'map.chooseFile')}
        </Button>
      </Upload>
      <p className="faint">{t('map.geoJsonHelp')}</p>
    </div>
  )
}
