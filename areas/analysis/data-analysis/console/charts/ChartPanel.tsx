import { DownloadOutlined, FileImageOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { namedFile } from '../../../../../console/chart/exports.ts'
import { useSize } from '../../../../../console/chart/useSize.ts'
import { saveCsv } from '../../../../../console/session/request.ts'
import { fontFamily } from '../../../../../console/theme/antd.ts'
import { useColours, useMode } from '../../../../../console/theme/mode.ts'
import { lines } from '../../../../../console/theme/tokens.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { Drawing } from '../../../reports/console/Drawing.tsx'
import type { Canvas, Shape } from '../../../reports/drawing.ts'
import { PlainTable } from '../../../telemetry/console/PlainTable.tsx'
import { saveDrawing } from './saveDrawing.ts'
import './charts.css'

export type Paint = (look: Canvas & { surface: string }) => readonly Shape[]
type Props = {
  title: string
  paint: Paint
  /** The same figures; the first row are titles. */
  table: readonly (readonly Cell[])[]
  height?: number
  /** Under the chart. */
  help?: ReactNode
  /** Beside the title. */
  tools?: ReactNode
  /** Without a frame and buttons of its own, in a gallery. */
  plain?: boolean
}

/** What a chart is painted with. */
export const useLook = (width: number, height: number): Canvas & { surface: string } => {
  const colours = useColours()
  const mode = useMode((s) => s.mode)
  const number = (value: number) => new Intl.NumberFormat(language(), { maximumSignificantDigits: 5 }).format(value)
  return { width, height, colours: lines[mode], text: colours.soft, grid: colours.line, surface: colours.surface, number }
}

/** A chart with the table behind it; both can be taken along. */
export const ChartPanel = ({ title, paint, table, height = 280, help, tools, plain = false }: Props) => {
  const t = useWords()
  const colours = useColours()
  const [box, width] = useSize()
  const svg = useRef<SVGSVGElement>(null)
  const [isTable, showTable] = useState(false)
  const look = useLook(Math.max(240, width), height)
  const picture = (
    <div ref={box} className="chart-box" style={{ minHeight: height }}>
      {width > 0 && <Drawing svg={svg} size={look} label={title} shapes={paint(look)} font={fontFamily} />}
    </div>
  )
  if (plain) return picture
  const frame = { title, ground: colours.surface, text: colours.text, font: fontFamily }
  return (
    <section className="panel chart-panel" aria-label={title}>
      <div className="chart-head">
        <h2>{title}</h2>
        <span className="chart-tools">
          {tools}
          <Button size="small" aria-pressed={isTable} onClick={() => showTable(!isTable)}>
            {t(isTable ? 'chart.hideTable' : 'chart.showTable')}
          </Button>
          <Button
            size="small"
            icon={<DownloadOutlined />}
            aria-label={t('explore.csv')}
            title={t('explore.csv')}
            onClick={() =>
              saveCsv(
                table.map((row) => [...row]),
                namedFile(title, 'csv'),
              )
            }
          />
          <Button
            size="small"
            icon={<FileImageOutlined />}
            aria-label={t('trend.png')}
            title={t('trend.png')}
            onClick={() => svg.current && saveDrawing(svg.current, frame, namedFile(title, 'png'))}
          />
        </span>
      </div>
      {picture}
      {help && <p className="faint">{help}</p>}
      {isTable && <PlainTable table={table} label={title} />}
    </section>
  )
}
