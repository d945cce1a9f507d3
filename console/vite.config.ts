import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.PENSTOCK_URL ?? 'http://127.0.0.1:8420'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: { '/api': { target: server, ws: true } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no inline script: no inlined polyfill, no data: modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // Few files come sooner than many: what every screen draws with, and what nearly every one does.
            { name: 'icons', test: /node_modules\/@ant-design\/(icons|icons-svg)\/es\/(icons|asn)\// },
            {
              name: 'shell',
              test: /node_modules\/(@ant-design\/(colors|cssinjs|cssinjs-utils|fast-color|icons)|@rc-component\/(util|motion|resize-observer|trigger|portal|menu|dropdown|drawer|dialog|tooltip|notification|overflow|context|mini-decimal)|antd\/es\/(_util|app|badge|breadcrumb|button|config-provider|drawer|dropdown|form\/(context|hooks)|grid|layout|locale\/(en_US|context|index|useLocale)|menu|message|modal|notification|popover|skeleton|space|spin|style|theme|time-picker\/locale|date-picker\/locale|calendar\/locale|tooltip|version|watermark))\//,
            },
            {
              name: 'lists',
              test: /node_modules\/(@rc-component\/(table|select|virtual-list|checkbox|tree|tree-select|pagination|input|input-number|form|async-validator|textarea|collapse|switch)|antd\/es\/(alert|auto-complete|checkbox|collapse|empty|flex|form|input|input-number|list|pagination|radio|result|segmented|select|switch|table|tag|tree|tree-select|typography))\//,
            },
          ],
        },
      },
    },
  },
})
