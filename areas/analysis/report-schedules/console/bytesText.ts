import { language } from '../../../../console/words/words.ts'

export const bytesText = (bytes: number) =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: bytes < 1_048_576 ? 0 : 1 }).format(
    bytes / (bytes < 1_048_576 ? 1024 : 1_048_576),
  ) + (bytes < 1_048_576 ? ' KB' : ' MB')
