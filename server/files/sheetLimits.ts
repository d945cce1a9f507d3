// Every worker loads this file: the whole contract would cost each a quarter of a second.
import { exportLimits } from '../../contract/exportLimits.ts'

const mb = 1024 * 1024

/**
 * What one sheet may be, and what reading it may cost. The largest sheet that we promise, 50,000 rows of 40 columns with 2,000,000
 * different texts, is read within 32 MB of heap; texts that cells share lie beside it (docs/performance.md).
 */
export const sheetLimits = {
  /** Below the titles. */
  rows: exportLimits.importRows,
  columns: 200,
  /** Characters of one cell, as in Excel, and of all cells. A text that many cells share counts each time. */
  cellCharacters: 32_767,
  /** Of a cell as the file has it: Excel writes one character as `_x000D_`. */
  rawCellCharacters: 7 * 32_767,
  /** Of XML between two tags, or in one: a character may be written as `&#x10FFFF;`. */
  tagCharacters: 10 * 32_767,
  characters: 64 * mb,
  /** Of a part of an xlsx, unpacked; parts that it may have. */
  partBytes: 256 * mb,
  sharedTextBytes: 64 * mb,
  parts: 500,
  /** The main loop takes over so much at a time. */
  pageCells: 5000,
  pageCharacters: 256 * 1024,
  heapMb: 64,
  /** A busy machine reads slowly: the largest sheet takes 5.4 s of one with two cores. */
  seconds: 60,
}
