@echo off
rem The command line of an installed Grantbench: its Electron, run as the Node that it contains.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\Grantbench.exe" "%~dp0app.asar\out\node\cli.cjs" %*
